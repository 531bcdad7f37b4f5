package net.ipmasq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What works on a JVM and breaks a native image, or is true at its build and not where it runs. The agent's program only:
 * the operator's commands are in no image.
 */
class NativeImageTest {
    private static final List<String> OPERATORS = List.of(
            "net.ipmasq.bundle.archive.", "net.ipmasq.bundle.cluster.apply.", "net.ipmasq.bundle.cluster.preflight.");

    /** Owner and name of what an image knows only where it was told so, or not at all. */
    private static final List<String> NOT_IN_AN_IMAGE = List.of(
            "java.lang.Class.forName",
            "java.lang.Class.getDeclared.*",
            "java.lang.Class.getMethods?",
            "java.lang.Class.getConstructors?",
            "java.lang.Class.newInstance",
            "java.lang.ClassLoader.loadClass",
            "java.lang.reflect.(Method.invoke|Constructor.newInstance|Field.(get|set).*|Proxy.newProxyInstance)",
            "java.lang.invoke.MethodHandles.*",
            "java.lang.foreign.(Linker|SymbolLookup).*",
            "java.util.ServiceLoader.load.*",
            "java.io.ObjectInputStream.*");

    /** Resources: those that application.properties names. */
    private static final String RESOURCE = "java.lang.(Class|ClassLoader).getResource.*";

    private static final List<String> READ_AT_BUILD_TIME = List.of(
            "java.lang.System.(currentTimeMillis|nanoTime|getenv|getProperty|getProperties)",
            "java.lang.(Integer.getInteger|Long.getLong|Boolean.getBoolean)",
            "java.lang.(Runtime.*|ProcessHandle.*)",
            "java.time.(Instant|LocalDate|LocalDateTime|ZonedDateTime|OffsetDateTime).now",
            "java.time.(Clock.system.*|ZoneId.systemDefault)",
            "java.util.(Random|concurrent.ThreadLocalRandom|UUID|Locale.getDefault|TimeZone.getDefault).*",
            "java.security.SecureRandom.*",
            "java.lang.Math.random",
            "java.net.(InetAddress|NetworkInterface|InetSocketAddress).*",
            "java.nio.file.Files.*");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("net.ipmasq");

    private record Call(JavaClass in, String target) {}

    private static Stream<JavaClass> agents() {
        return MAIN.stream().filter(type -> OPERATORS.stream().noneMatch(type.getName()::startsWith));
    }

    private static Stream<Call> calls(JavaClass type, Stream<? extends JavaCodeUnit> units) {
        return units.flatMap(unit -> Stream.concat(
                        unit.getMethodCallsFromSelf().stream(), unit.getConstructorCallsFromSelf().stream()))
                .map(call -> new Call(
                        type,
                        call.getTargetOwner().getName() + "." + call.getTarget().getName()));
    }

    private static List<Call> notInAnImage(Stream<JavaClass> types) {
        return types.flatMap(type -> calls(type, type.getCodeUnits().stream()))
                .filter(call -> NOT_IN_AN_IMAGE.stream().anyMatch(call.target()::matches))
                .toList();
    }

    private static List<Call> readAtBuildTime(Stream<JavaClass> types) {
        return types.flatMap(type -> calls(type, type.getStaticInitializer().stream()))
                .filter(call -> READ_AT_BUILD_TIME.stream().anyMatch(call.target()::matches))
                .toList();
    }

    @Test
    void theAgentNeedsNothingThatAnImageWouldHaveToBeTold() {
        assertThat(notInAnImage(agents()))
                // LibcInImage takes their place
                .filteredOn(call -> !call.in().getName().startsWith("net.ipmasq.netlink.Libc$"))
                .isEmpty();
    }

    @Test
    void nothingIsReadFromTheMachineThatBuilds() {
        assertThat(readAtBuildTime(agents())).isEmpty();
    }

    @Test
    void eachResourceIsNamedForTheImage() throws IOException {
        assertThat(agents().flatMap(type -> calls(type, type.getCodeUnits().stream()))
                        .filter(call -> call.target().matches(RESOURCE)))
                .extracting(call -> call.in().getSimpleName())
                .containsExactly("BuiltInProfiles");
        assertThat(Files.readString(Path.of("src/main/resources/application.properties")))
                .contains("quarkus.native.resources.includes=profiles/*.yaml\n");
    }

    /** Each of the rules finds what it is for. */
    @Test
    void theRulesFindWhatTheyForbid() {
        JavaClasses bad = new ClassFileImporter().importClasses(Bad.class);
        assertThat(notInAnImage(bad.stream()))
                .extracting(Call::target)
                .contains(
                        "java.lang.Class.forName",
                        "java.lang.reflect.Proxy.newProxyInstance",
                        "java.util.ServiceLoader.load",
                        "java.lang.invoke.MethodHandles.lookup",
                        "java.lang.foreign.Linker.nativeLinker");
        assertThat(readAtBuildTime(bad.stream()))
                .extracting(Call::target)
                .contains(
                        "java.lang.System.getenv",
                        "java.lang.System.nanoTime",
                        "java.time.Instant.now",
                        "java.time.Clock.systemUTC",
                        "java.util.UUID.randomUUID",
                        "java.util.Random.<init>");
    }

    /** Does everything that is forbidden; never run. */
    @SuppressWarnings("unused")
    private static final class Bad {
        private static final String HOME = System.getenv("HOME");
        private static final long START = System.nanoTime();
        private static final Instant NOW = Instant.now();
        private static final Clock CLOCK = Clock.systemUTC();
        private static final UUID ID = UUID.randomUUID();
        private static final Random RANDOM = new Random();

        private static InputStream find(Class<?>... types) throws ClassNotFoundException {
            Proxy.newProxyInstance(Bad.class.getClassLoader(), types, (proxy, method, arguments) -> null);
            ServiceLoader.load(Class.forName("nowhere"));
            MethodHandles.lookup();
            Linker.nativeLinker();
            return Bad.class.getResourceAsStream("nothing");
        }
    }
}
