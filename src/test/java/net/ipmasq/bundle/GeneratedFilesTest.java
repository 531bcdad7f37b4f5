package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The manifests for those who install without Helm are the chart rendered with its default values. {@code ./dev generate}
 * runs the first test, which writes them and the other copies of the bundle.
 */
class GeneratedFilesTest {
    private static final Path MANIFESTS = Path.of("src", "main", "kubernetes");
    private static final Path KUBERNETES = MANIFESTS.resolve("kubernetes.yml");
    private static final Path CONFIG = MANIFESTS.resolve("config.yml");
    private static final String MADE = "# Made by ./dev generate from addon-bundle/chart with its default values.\n";

    @Test
    @EnabledIfSystemProperty(named = "bundle.generate", matches = "true")
    void generate() throws IOException {
        for (Path profile : Bundle.files(Bundle.PROFILES)) {
            for (String copy : List.of("profiles", "chart/files/profiles")) {
                Files.copy(
                        profile,
                        Bundle.ROOT.resolve(copy).resolve(profile.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (String file : List.of("chart/Chart.yaml", "addon.yaml")) {
            replace(Bundle.ROOT.resolve(file), "(?m)^(version|appVersion): .*$", "$1: " + Bundle.version());
        }
        replace(Bundle.ROOT.resolve("compatibility.yaml"), "(?m)^  - version: .*$", "  - version: " + Bundle.version());
        Files.createDirectories(MANIFESTS);
        String rendered = Rendered.defaults().text();
        Files.writeString(
                KUBERNETES,
                MADE + "# Apply at will: kubectl apply -f kubernetes.yml. The user's ConfigMap is in config.yml.\n"
                        + part(rendered, document -> !isUsers(document)));
        Files.writeString(
                CONFIG,
                MADE
                        + "# Create once: kubectl create -f config.yml. It is the user's then; an apply would undo edits.\n"
                        + part(rendered, GeneratedFilesTest::isUsers));
    }

    /** Only the first version of compatibility.yaml is this one. */
    private static void replace(Path file, String pattern, String by) throws IOException {
        String text = Bundle.text(file);
        Files.writeString(
                file,
                file.endsWith("compatibility.yaml") ? text.replaceFirst(pattern, by) : text.replaceAll(pattern, by));
    }

    /** The documents of a rendered text that are wanted, with their comments. */
    private static String part(String rendered, Predicate<Map<String, Object>> wanted) {
        return Arrays.stream(rendered.split("(?m)^---\n"))
                .filter(text -> Bundle.documents(text).stream().anyMatch(wanted))
                .map(text -> "---\n" + text.replaceFirst("^# Source: .*\n", "").stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isUsers(Map<String, Object> document) {
        return Rendered.name(document).equals("ConfigMap/cce-ip-masq-agent");
    }

    @Test
    void manifestsAreTheChartWithDefaultValues() {
        List<Map<String, Object>> both = new ArrayList<>(Bundle.documents(Bundle.text(KUBERNETES)));
        both.addAll(Bundle.documents(Bundle.text(CONFIG)));
        assertThat(both)
                .as("run ./dev generate")
                .containsExactlyInAnyOrderElementsOf(Rendered.defaults().documents());
    }

    /** What can be applied again must not hold what a user edits. */
    @Test
    void theUsersConfigMapIsApart() {
        assertThat(Bundle.documents(Bundle.text(KUBERNETES))).noneMatch(GeneratedFilesTest::isUsers);
        assertThat(Bundle.documents(Bundle.text(CONFIG))).hasSize(1).allMatch(GeneratedFilesTest::isUsers);
    }
}
