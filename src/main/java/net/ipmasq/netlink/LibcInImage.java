package net.ipmasq.netlink;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.graalvm.nativeimage.c.function.CFunction;
import org.graalvm.nativeimage.c.function.CFunction.Transition;
import org.graalvm.nativeimage.c.type.CIntPointer;
import org.graalvm.word.Pointer;
import org.graalvm.word.WordFactory;
import org.jspecify.annotations.Nullable;

/**
 * {@link Libc} in a native image: each method calls its function as C does. Only native images read this class; a test
 * holds its methods equal to those of {@link Libc}.
 */
@TargetClass(Libc.class)
final class LibcInImage {
    private LibcInImage() {}

    /**
     * The functions. They run without a transition, so that nothing of the image can come between a call and the reading
     * of errno; the garbage collector waits for them meanwhile, so none of these may block.
     */
    private static final class C {
        private C() {}

        @CFunction(value = "socket", transition = Transition.NO_TRANSITION)
        static native int socket(int domain, int type, int protocol);

        @CFunction(value = "bind", transition = Transition.NO_TRANSITION)
        static native int bind(int fd, Pointer address, int length);

        @CFunction(value = "setsockopt", transition = Transition.NO_TRANSITION)
        static native int setsockopt(int fd, int level, int name, Pointer value, int length);

        @CFunction(value = "send", transition = Transition.NO_TRANSITION)
        static native long send(int fd, Pointer bytes, long length, int flags);

        @CFunction(value = "recv", transition = Transition.NO_TRANSITION)
        static native long recv(int fd, Pointer space, long length, int flags);

        @CFunction(value = "poll", transition = Transition.NO_TRANSITION)
        static native int pollAtOnce(Pointer entry, long entries, int millis);

        /** The one that waits: its thread counts as outside of Java meanwhile. */
        @CFunction(value = "poll", transition = Transition.TO_NATIVE)
        static native int poll(Pointer entry, long entries, int millis);

        @CFunction(value = "ioctl", transition = Transition.NO_TRANSITION)
        static native int ioctl(int fd, long request, Pointer argument);

        @CFunction(value = "close", transition = Transition.NO_TRANSITION)
        static native int close(int fd);

        @CFunction(value = "__errno_location", transition = Transition.NO_TRANSITION)
        static native CIntPointer errno();

        static Pointer at(ByteBuffer buffer) {
            return WordFactory.pointer(MemorySegment.ofBuffer(buffer).address());
        }

        static long checked(String call, long result) throws Libc.CallFailed {
            return checked(call, result, null);
        }

        /** @param buffer what the call was given the address of: not freed before it has returned */
        @SuppressWarnings("ReachabilityFenceUsage") // C throws nothing: after the call there is no other way than this
        static long checked(String call, long result, @Nullable ByteBuffer buffer) throws Libc.CallFailed {
            Reference.reachabilityFence(buffer);
            if (result < 0) {
                throw new Libc.CallFailed(call, errno().read());
            }
            return result;
        }
    }

    @Substitute
    static int socket(int domain, int type, int protocol) throws Libc.CallFailed {
        return (int) C.checked("socket", C.socket(domain, type, protocol));
    }

    @Substitute
    static void bind(int fd, ByteBuffer address) throws Libc.CallFailed {
        C.checked("bind", C.bind(fd, C.at(address), address.remaining()), address);
    }

    @Substitute
    static void setOption(int fd, int level, int name, ByteBuffer value) throws Libc.CallFailed {
        C.checked("setsockopt", C.setsockopt(fd, level, name, C.at(value), value.remaining()), value);
    }

    @Substitute
    static void send(int fd, ByteBuffer bytes) throws Libc.CallFailed {
        C.checked("send", C.send(fd, C.at(bytes), bytes.remaining(), 0), bytes);
    }

    @Substitute
    static long receive(int fd, ByteBuffer space, int flags) throws Libc.CallFailed {
        return C.checked("recv", C.recv(fd, C.at(space), space.remaining(), flags), space);
    }

    /** On its way back into Java a call that waited can lose errno, so one that failed is asked again, without waiting. */
    @Substitute
    static boolean poll(ByteBuffer entry, int millis) throws Libc.CallFailed {
        int ready = C.poll(C.at(entry), 1, millis);
        return C.checked("poll", ready < 0 ? C.pollAtOnce(C.at(entry), 1, 0) : ready, entry) > 0;
    }

    @Substitute
    static void ioctl(int fd, long request, ByteBuffer argument) throws Libc.CallFailed {
        C.checked("ioctl", C.ioctl(fd, request, C.at(argument)), argument);
    }

    @Substitute
    static long address(ByteBuffer buffer) {
        return C.at(buffer).rawValue();
    }

    @Substitute
    static void close(int fd) throws Libc.CallFailed {
        C.checked("close", C.close(fd));
    }
}
