package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * One folder per reading rule: {@code config.*} for {@link ConfigReader} or {@code manifest.*} for {@link
 * ManifestReader}, and what {@code check} must say in {@code expected.json}. Any other file fails.
 */
class ConfigCasesTest {
    /** Found under a profile only, which these cases do not have; the ConfigMap that an agent reads is in it too. */
    private static final Set<ProblemCode> OF_THE_POLICY = EnumSet.of(
            ProblemCode.CIDR_LIMIT,
            ProblemCode.CIDR_OVERLAPS_ENFORCED,
            ProblemCode.CIDR_IN_BOTH_LISTS,
            ProblemCode.CIDR_SHADOWED,
            ProblemCode.IPV6_OFF,
            ProblemCode.FAMILY_LEFT_OUT,
            ProblemCode.POD_RANGE_MASQUERADED,
            ProblemCode.MANIFEST_NOT_READ);

    private static final List<String> INPUTS =
            List.of("config.yaml", "config.json", "config.bin", "manifest.yaml", "manifest.json");

    @TestFactory
    Stream<DynamicTest> everyFolderSaysWhatItExpects() throws Exception {
        return folders().stream()
                .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> run(folder)));
    }

    private static void run(Path folder) throws IOException {
        Path input = inputOf(folder);
        assertThat(CheckJson.of(read(input))).isEqualTo(Files.readString(folder.resolve("expected.json")));
    }

    private static Path inputOf(Path folder) throws IOException {
        List<String> names = names(folder);
        List<String> inputs = names.stream().filter(INPUTS::contains).toList();
        assertThat(inputs).as("inputs of %s", folder).hasSize(1);
        assertThat(names).containsExactlyInAnyOrder(inputs.getFirst(), "expected.json");
        return folder.resolve(inputs.getFirst());
    }

    private static ConfigOutcome read(Path input) throws IOException {
        byte[] bytes = Files.readAllBytes(input);
        boolean manifest = input.getFileName().toString().startsWith("manifest");
        return manifest ? ManifestReader.check(bytes) : ConfigReader.read(bytes);
    }

    /** A code that no case shows is a code whose message nobody has looked at. */
    @Test
    void everyCodeOfConfigurationsHasACase() throws Exception {
        Set<String> missing = new TreeSet<>();
        for (ProblemCode code : ProblemCode.values()) {
            boolean elsewhere = code.code().startsWith("profile-")
                    || code == ProblemCode.TEXT_TOO_LARGE
                    || OF_THE_POLICY.contains(code);
            if (!elsewhere) {
                missing.add(code.code());
            }
        }
        for (Path folder : folders()) {
            read(inputOf(folder)).problems().forEach(problem -> missing.remove(problem.code()));
        }
        assertThat(missing).isEmpty();
    }

    private static List<Path> folders() throws IOException, URISyntaxException {
        URL root = ConfigCasesTest.class.getResource("/cases/config");
        assertThat(root).isNotNull();
        try (Stream<Path> children = Files.list(Path.of(root.toURI()))) {
            return children.sorted().toList();
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString()).toList();
        }
    }
}
