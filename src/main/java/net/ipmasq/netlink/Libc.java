package net.ipmasq.netlink;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The few functions of the C library that a netlink socket needs. On a JVM they are linked by the JDK's foreign functions,
 * which costs some milliseconds, once, when the first of them is called; a Java that may not link throws there, as an
 * error of a class' initialization. In a native image {@link LibcInImage} takes the place of all methods. Buffers are direct
 * ones, of which position to limit counts.
 */
final class Libc {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOBUFS = 105;

    private Libc() {}

    /** A call that failed, with its errno. */
    static final class CallFailed extends IOException {
        private static final long serialVersionUID = 1;

        private final int errno;

        CallFailed(String call, int errno) {
            super(call + ": " + (errno == EPERM ? "not permitted" : "errno " + errno));
            this.errno = errno;
        }

        int errno() {
            return errno;
        }
    }

    /** The functions as the JDK links them; no method of a native image leads here. */
    private static final class Linked {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

        private static final MethodHandle SOCKET =
                link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        private static final MethodHandle BIND =
                link("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        private static final MethodHandle SETSOCKOPT =
                link("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        private static final MethodHandle SEND =
                link("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        private static final MethodHandle RECV =
                link("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        private static final MethodHandle POLL =
                link("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

        private Linked() {}

        // the start script of the application gives native access to it
        @SuppressWarnings("restricted")
        private static MethodHandle link(String name, FunctionDescriptor shape, Linker.Option... more) {
            Linker.Option[] options = Arrays.copyOf(more, more.length + 1);
            options[more.length] = WITH_ERRNO;
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape, options);
        }

        // a Throwable is the signature of every method handle; the functions behind these throw nothing
        private static long call(String name, Call call) throws CallFailed {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(STATE);
                long result = call.run(state);
                if (result < 0) {
                    throw new CallFailed(name, (int) ERRNO.get(state, 0L));
                }
                return result;
            } catch (CallFailed | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Linked on first use, which is rare. */
    private static final class Rare {
        /** Variadic in C; some processors pass such arguments in another way. */
        private static final MethodHandle IOCTL = Linked.link(
                "ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                Linker.Option.firstVariadicArg(2));

        private Rare() {}
    }

    /** A call with the place that errno is written to; what it returns is below zero for a failure. */
    @FunctionalInterface
    private interface Call {
        long run(MemorySegment state) throws Throwable;
    }

    static int socket(int domain, int type, int protocol) throws CallFailed {
        return (int) Linked.call("socket", state -> (int) Linked.SOCKET.invokeExact(state, domain, type, protocol));
    }

    static void bind(int fd, ByteBuffer address) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(address);
        Linked.call("bind", state -> (int) Linked.BIND.invokeExact(state, fd, at, (int) at.byteSize()));
    }

    /** Sets an option whose value is all of {@code value}. */
    static void setOption(int fd, int level, int name, ByteBuffer value) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(value);
        Linked.call("setsockopt", state ->
                (int) Linked.SETSOCKOPT.invokeExact(state, fd, level, name, at, (int) at.byteSize()));
    }

    static void send(int fd, ByteBuffer bytes) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(bytes);
        Linked.call("send", state -> (long) Linked.SEND.invokeExact(state, fd, at, at.byteSize(), 0));
    }

    /** Returns how long the datagram is, which with the flag MSG_TRUNC can be more than the space for it. */
    static long receive(int fd, ByteBuffer space, int flags) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(space);
        return Linked.call("recv", state -> (long) Linked.RECV.invokeExact(state, fd, at, at.byteSize(), flags));
    }

    /** Waits for something to read, or for an error; {@code entry} is one struct pollfd. */
    static boolean poll(ByteBuffer entry, int millis) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(entry);
        return Linked.call("poll", state -> (int) Linked.POLL.invokeExact(state, at, 1L, millis)) > 0;
    }

    static void ioctl(int fd, long request, ByteBuffer argument) throws CallFailed {
        MemorySegment at = MemorySegment.ofBuffer(argument);
        Linked.call("ioctl", state -> (int) Rare.IOCTL.invokeExact(state, fd, request, at));
    }

    /** Where a buffer lies in memory, for structs that point to others; valid while the buffer is in use. */
    static long address(ByteBuffer buffer) {
        return MemorySegment.ofBuffer(buffer).address();
    }

    static void close(int fd) throws CallFailed {
        Linked.call("close", state -> (int) Linked.CLOSE.invokeExact(state, fd));
    }
}
