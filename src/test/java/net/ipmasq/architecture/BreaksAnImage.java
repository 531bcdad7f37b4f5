package net.ipmasq.architecture;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** Does everything that {@link NativeImageTest} keeps out of the agent, for its patterns to find. Never run. */
@SuppressWarnings("unused")
final class BreaksAnImage {
    private static final Instant NOW = Instant.now();
    private static final Clock CLOCK = Clock.systemUTC();
    private static final Random RANDOM = new Random();
    private static final SecureRandom SECRET = new SecureRandom();
    private static final double DICE = Math.random();
    private static final Integer SETTING = Integer.getInteger("setting");
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final long PID = ProcessHandle.current().pid();
    private static final Locale LOCALE = Locale.getDefault();
    private static final Charset CHARSET = Charset.defaultCharset();
    private static final InetAddress HOME = InetAddress.getLoopbackAddress();
    private static final boolean CONTAINER = Files.exists(Path.of("/.dockerenv"));
    private static final ProcessBuilder TOOL = new ProcessBuilder("true");
    private static final Thread THREAD = Thread.ofPlatform().unstarted(() -> {});
    private static final Reader READER = new Reader();
    private static final UUID ID = id();
    private static final Supplier<String> USER = () -> System.getenv("USER");

    private BreaksAnImage() {}

    private static UUID id() {
        return UUID.randomUUID();
    }

    /** Reads the clock when an object of it is made, which an initializer does. */
    static final class Reader {
        private final long begin = System.nanoTime();
    }

    private static Object reflection(Class<?>... types) throws ReflectiveOperationException {
        Class<?> type = Class.forName("nowhere");
        Method method = type.getMethod("nothing");
        Function<Class<?>, Method[]> all = Class::getDeclaredMethods;
        BreaksAnImage.class.getClassLoader().loadClass("nowhere");
        Proxy.newProxyInstance(BreaksAnImage.class.getClassLoader(), types, (proxy, called, arguments) -> null);
        return List.of(method.invoke(null), all, ServiceLoader.load(type));
    }

    private static Object linking() {
        System.loadLibrary("nothing");
        return List.of(MethodHandles.lookup(), Linker.nativeLinker());
    }

    private static Object reading() throws IOException, ClassNotFoundException {
        InputStream one = BreaksAnImage.class.getResourceAsStream("nothing");
        InputStream two = BreaksAnImage.class.getClassLoader().getResourceAsStream("nothing");
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(new byte[0]))) {
            return List.of(one, two, objects.readObject(), ResourceBundle.getBundle("nothing"));
        }
    }
}
