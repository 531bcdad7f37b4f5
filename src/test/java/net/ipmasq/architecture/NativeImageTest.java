package net.ipmasq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What works on a JVM and breaks a native image, or is true at its build and not where it runs: Quarkus initializes all
 * classes at build time. The agent's program only: the operator's commands are in no image.
 */
class NativeImageTest {
    private static final List<String> OPERATORS = List.of(
            "net.ipmasq.bundle.archive.", "net.ipmasq.bundle.cluster.apply.", "net.ipmasq.bundle.cluster.preflight.");

    /** What an image knows only where it was told so, or not at all: patterns of class and member. */
    private static final List<String> NOT_IN_AN_IMAGE = List.of(
            "java.lang.Class.forName",
            "java.lang.Class.(getDeclared.*|getMethods?|getFields?|getConstructors?|getRecordComponents|newInstance)",
            "java.lang.ClassLoader.loadClass",
            "java.lang.reflect.(Method|Constructor|Field|Array)\\..*",
            "java.lang.reflect.Proxy\\..*",
            "java.lang.invoke\\..*",
            "java.lang.foreign\\..*",
            "java.util.ServiceLoader\\..*",
            "java.io.Object(In|Out)putStream\\..*",
            "java.lang.(Runtime|System).load(Library)?");

    private static final List<String> RESOURCES = List.of(
            "java.lang.Class.getResource.*",
            "java.lang.(ClassLoader.(getResource|getSystemResource|resources).*|Module.getResource.*)",
            "java.util.ResourceBundle\\..*");

    private static final List<String> READ_AT_BUILD_TIME = List.of(
            "java.lang.System.(currentTimeMillis|nanoTime)",
            "java.lang.System.(getenv|getProperty|getProperties|console)",
            "java.lang.(Integer.getInteger|Long.getLong|Boolean.getBoolean)",
            "java.lang.Runtime\\..*",
            "java.lang.ProcessHandle.*",
            "java.lang.Math.random",
            "java.time.(Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime|OffsetDateTime).now",
            "java.time.(Clock.(system|tick).*|ZoneId.systemDefault)",
            "java.util.(Locale|TimeZone).getDefault",
            "java.nio.charset.Charset.defaultCharset",
            "java.util.(Random|concurrent.ThreadLocalRandom|random)\\..*",
            "java.util.UUID\\..*",
            "java.security.SecureRandom\\..*",
            "java.net.(InetAddress|NetworkInterface|InetSocketAddress|Socket)\\..*",
            "java.nio.file.Files\\..*",
            "java.lang.ProcessBuilder\\..*",
            "java.lang.Thread.*");

    /**
     * Where one of these is in its place.
     *
     * @param in a class with those nested in it
     * @param target a pattern of what it calls
     * @param why the reason
     */
    private record Allowed(String in, String target, String why) {
        boolean covers(Calls.Call call) {
            return (call.in().equals(in) || call.in().startsWith(in + "$"))
                    && call.target().matches(target);
        }
    }

    private static final List<Allowed> ALLOWED = List.of(
            new Allowed(
                    "net.ipmasq.netlink.Libc",
                    "java.lang.(foreign|invoke)\\..*",
                    "the C library on a JVM; in an image LibcInImage takes the place of all methods"),
            new Allowed(
                    "net.ipmasq.netlink.LibcInImage",
                    "java.lang.foreign.MemorySegment.(ofBuffer|address)",
                    "where a direct buffer lies; links nothing"));

    /** Resources by the class that reads them, as application.properties has to name them. */
    private static final Map<String, String> NAMED_RESOURCES =
            Map.of("net.ipmasq.profile.BuiltInProfiles", "profiles/*.yaml");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("net.ipmasq");

    private static final JavaClasses BAD =
            new ClassFileImporter().importClasses(BreaksAnImage.class, BreaksAnImage.Reader.class);

    private static Calls agents() {
        return new Calls(MAIN.stream()
                .filter(type -> OPERATORS.stream().noneMatch(type.getName()::startsWith))
                .toList());
    }

    private static Calls bad() {
        return new Calls(List.copyOf(BAD));
    }

    private static Predicate<Calls.Call> of(List<String> patterns) {
        return call -> patterns.stream().anyMatch(call.target()::matches);
    }

    private static Stream<Calls.Call> notAllowed(Stream<Calls.Call> calls) {
        return calls.filter(call -> ALLOWED.stream().noneMatch(place -> place.covers(call)));
    }

    @Test
    void theAgentNeedsNothingThatAnImageWouldHaveToBeTold() {
        assertThat(notAllowed(agents().all().filter(of(NOT_IN_AN_IMAGE)))).isEmpty();
    }

    @Test
    void nothingIsReadFromTheMachineThatBuilds() {
        assertThat(notAllowed(agents().ofInitializers().filter(of(READ_AT_BUILD_TIME))))
                .isEmpty();
    }

    /** One that is read and not named is missing in an image; one that is named and does not exist was renamed. */
    @Test
    void eachResourceIsNamedForTheImage() throws IOException {
        assertThat(agents().all().filter(of(RESOURCES)).map(Calls.Call::in).distinct())
                .containsExactlyInAnyOrderElementsOf(NAMED_RESOURCES.keySet());
        Path resources = Path.of("src/main/resources");
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(resources.resolve("application.properties"))) {
            properties.load(reader);
        }
        assertThat(properties.getProperty("quarkus.native.resources.includes").split(","))
                .containsExactlyInAnyOrderElementsOf(new TreeSet<>(NAMED_RESOURCES.values()));
        for (String pattern : NAMED_RESOURCES.values()) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            try (Stream<Path> files = Files.walk(resources)) {
                assertThat(files.map(resources::relativize)).as(pattern).anyMatch(matcher::matches);
            }
        }
    }

    @Test
    void nothingIsAllowedThatNobodyDoes() {
        List<Calls.Call> calls = agents().all().toList();
        assertThat(ALLOWED).allSatisfy(place -> {
            assertThat(calls).as(place.in()).anyMatch(place::covers);
            assertThat(place.why()).isNotEmpty();
        });
    }

    /** Each pattern finds what it is for: one that is misspelt would keep nothing out. */
    @Test
    void eachPatternFindsWhatItForbids() {
        List<Calls.Call> anywhere = bad().all().toList();
        List<Calls.Call> atBuildTime = bad().ofInitializers().toList();
        assertThat(NOT_IN_AN_IMAGE)
                .allSatisfy(pattern -> assertThat(anywhere).as(pattern).anyMatch(of(List.of(pattern))));
        assertThat(RESOURCES)
                .allSatisfy(pattern -> assertThat(anywhere).as(pattern).anyMatch(of(List.of(pattern))));
        assertThat(READ_AT_BUILD_TIME)
                .allSatisfy(pattern -> assertThat(atBuildTime).as(pattern).anyMatch(of(List.of(pattern))));
    }

    /** What an initializer calls is found behind a constructor, a method and a lambda, and nothing that it does not call. */
    @Test
    void initializersAreFollowedIntoWhatTheyCall() {
        assertThat(bad().ofInitializers())
                .contains(new Calls.Call(BreaksAnImage.Reader.class.getName(), "java.lang.System.nanoTime"))
                .contains(new Calls.Call(BreaksAnImage.class.getName(), "java.util.UUID.randomUUID"))
                .contains(new Calls.Call(BreaksAnImage.class.getName(), "java.lang.System.getenv"))
                .noneMatch(call -> call.target().equals("java.lang.Class.forName"));
        assertThat(bad().all())
                .as("a method reference")
                .contains(new Calls.Call(BreaksAnImage.class.getName(), "java.lang.Class.getDeclaredMethods"));
    }
}
