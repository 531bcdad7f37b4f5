package net.ipmasq.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The agent that tests start: a native binary, the packaged jar, or classes that nobody has packaged. Every command line
 * of the agent in tests, except those inside a container image, is made here.
 *
 * @param binary the native binary that is to be tested, if one was named
 * @param jar the packaged application, if the build has packaged one
 */
public record Artifact(Optional<Path> binary, Optional<Path> jar) {
    private static final String BINARY = "ip-masq.binary";
    private static final String VARIABLE = "IP_MASQ_BINARY";
    private static final String JAR = "ip-masq.jar";
    private static final Artifact UNDER_TEST = named(System::getProperty, System::getenv);

    /**
     * What is under test: the binary that the system property {@code ip-masq.binary} or else the environment variable
     * {@code IP_MASQ_BINARY} names, the jar that {@code ip-masq.jar} names, or these classes.
     *
     * @throws IllegalStateException if what they name cannot be started
     */
    public static Artifact underTest() {
        return UNDER_TEST;
    }

    static Artifact named(UnaryOperator<@Nullable String> property, UnaryOperator<@Nullable String> environment) {
        Optional<Path> binary = path(property.apply(BINARY)).or(() -> path(environment.apply(VARIABLE)));
        binary.filter(file -> !Files.isRegularFile(file) || !Files.isExecutable(file))
                .ifPresent(file -> {
                    throw new IllegalStateException("the binary under test is " + file
                            + ", which is no program: build one with ./dev native, or name none (" + VARIABLE + ", -D"
                            + BINARY + ") to test the jar");
                });
        return new Artifact(binary, path(property.apply(JAR)));
    }

    /** Empty stands for not given: Maven passes properties on that nobody has set. */
    private static Optional<Path> path(@Nullable String text) {
        return Optional.ofNullable(text)
                .filter(given -> !given.isEmpty())
                .map(given -> Path.of(given).toAbsolutePath());
    }

    public boolean isNative() {
        return binary.isPresent();
    }

    /** The same without the binary, for tests of what only a JVM does. */
    public Artifact onJvm() {
        return new Artifact(Optional.empty(), jar);
    }

    /** The command line of the agent. */
    public List<String> command(String... args) {
        return binary.map(file -> line(List.of(file.toString()), args))
                .orElseGet(() -> jar.map(file -> java(List.of("-jar", file.toString()), args))
                        .orElseGet(() -> java(main(classPath(), "net.ipmasq.app.Main"), args)));
    }

    /** The command line of the operator's program, which is on a JVM always. */
    public List<String> fleetCommand(String... args) {
        String classPath = jar.map(Path::toString).orElseGet(Artifact::classPath);
        return java(main(classPath, "net.ipmasq.bundle.cli.Fleet"), args);
    }

    private static List<String> main(String classPath, String name) {
        return List.of("-cp", classPath, name);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static List<String> java(List<String> program, String... args) {
        List<String> argv = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
        argv.addAll(program);
        return line(argv, args);
    }

    private static List<String> line(List<String> program, String... args) {
        List<String> argv = new ArrayList<>(program);
        argv.addAll(List.of(args));
        return argv;
    }
}
