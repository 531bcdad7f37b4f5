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

/**
 * The few functions of the C library that a netlink socket needs. Linking costs some milliseconds, once, when the first
 * of them is called; a Java that may not link throws there, as an error of this class' initialization.
 */
final class Libc {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOBUFS = 105;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET =
            link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND = link("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            link("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND =
            link("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV =
            link("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle POLL =
            link("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Libc() {}

    /** Linked on first use, which is rare. */
    private static final class Rare {
        /** Variadic in C; some processors pass such arguments in another way. */
        private static final MethodHandle IOCTL = link(
                "ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                Linker.Option.firstVariadicArg(2));
    }

    /** A call that failed, with its errno. */
    static final class CallFailed extends IOException {
        private static final long serialVersionUID = 1;

        private final int errno;

        private CallFailed(String call, int errno) {
            super(call + ": " + (errno == EPERM ? "not permitted" : "errno " + errno));
            this.errno = errno;
        }

        int errno() {
            return errno;
        }
    }

    // the start script of the application gives native access to it
    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor shape, Linker.Option... more) {
        Linker.Option[] options = java.util.Arrays.copyOf(more, more.length + 1);
        options[more.length] = WITH_ERRNO;
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape, options);
    }

    /** A call with the place that errno is written to; what it returns is below zero for a failure. */
    @FunctionalInterface
    private interface Call {
        long run(MemorySegment state) throws Throwable;
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

    static int socket(int domain, int type, int protocol) throws CallFailed {
        return (int) call("socket", state -> (int) SOCKET.invokeExact(state, domain, type, protocol));
    }

    static void bind(int fd, MemorySegment address) throws CallFailed {
        call("bind", state -> (int) BIND.invokeExact(state, fd, address, (int) address.byteSize()));
    }

    static void setOption(int fd, int level, int name, int value) throws CallFailed {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocateFrom(JAVA_INT, value);
            call("setsockopt", state -> (int) SETSOCKOPT.invokeExact(state, fd, level, name, place, 4));
        }
    }

    static void send(int fd, MemorySegment bytes) throws CallFailed {
        call("send", state -> (long) SEND.invokeExact(state, fd, bytes, bytes.byteSize(), 0));
    }

    /** Returns how long the datagram is, which with the flag MSG_TRUNC can be more than the space for it. */
    static long receive(int fd, MemorySegment space, int flags) throws CallFailed {
        return call("recv", state -> (long) RECV.invokeExact(state, fd, space, space.byteSize(), flags));
    }

    /** Waits for something to read, or for an error; {@code entry} is one struct pollfd. */
    static boolean poll(MemorySegment entry, int millis) throws CallFailed {
        return call("poll", state -> (int) POLL.invokeExact(state, entry, 1L, millis)) > 0;
    }

    static void ioctl(int fd, long request, MemorySegment argument) throws CallFailed {
        call("ioctl", state -> (int) Rare.IOCTL.invokeExact(state, fd, request, argument));
    }

    static void close(int fd) throws CallFailed {
        call("close", state -> (int) CLOSE.invokeExact(state, fd));
    }
}
