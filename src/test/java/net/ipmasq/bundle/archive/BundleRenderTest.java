package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.BundleCli;
import net.ipmasq.bundle.Rendered;
import net.ipmasq.bundle.StandInCluster;
import net.ipmasq.bundle.cli.Fleet;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The manifests are Helm's, and nobody's cluster is asked. */
@Slow
@Timeout(120)
class BundleRenderTest {
    @TempDir
    Path dir;

    private static List<Map<String, Object>> render(Object... args) {
        Object[] line = new Object[args.length + 1];
        line[0] = "render";
        System.arraycopy(args, 0, line, 1, args.length);
        BundleCli run = BundleCli.run(line);
        assertThat(run.code()).as(run.err()).isZero();
        return Bundle.documents(run.out());
    }

    private static String profile(List<Map<String, Object>> documents) {
        return documents.stream()
                .filter(document -> Rendered.name(document).equals("ConfigMap/cce-ip-masq-agent-profile"))
                .flatMap(document -> Bundle.at(document, "data", "profile").stream())
                .findFirst()
                .orElseThrow()
                .toString();
    }

    @Test
    void withoutValuesItIsTheChartWithItsDefaults() {
        assertThat(render())
                .containsExactlyInAnyOrderElementsOf(Rendered.defaults().documents());
    }

    @Test
    void fromAnArchiveAsFromItsDirectory() {
        Path archive = BundleCli.build(Bundle.ROOT, dir.resolve("out"));
        assertThat(render("--bundle", archive)).isEqualTo(render());
    }

    @Test
    void theProviderCountsBeforeTheValuesAndTheLaterFileBeforeTheEarlier() throws IOException {
        Path one = Files.writeString(dir.resolve("one.yaml"), "profile: {name: upstream, overrides: {chain: ONE}}\n");
        Path two = Files.writeString(dir.resolve("two.yaml"), "profile: {overrides: {chain: TWO}}\n");
        assertThat(profile(render("--values", one, "--values", two))).contains("name: upstream", "chain: TWO");
        assertThat(profile(render("--provider", "gke", "--values", one, two))).contains("name: gke", "chain: TWO");
        BundleCli unknown = BundleCli.run("render", "--provider", "nobody");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no profile 'nobody'; it has cce, gke, upstream");
    }

    @Test
    void whatAnUninstallRunsIsLeftOutAndSaid() throws IOException {
        Path values = Files.writeString(dir.resolve("values.yaml"), "uninstall: {preserveRules: false}\n");
        BundleCli run = BundleCli.run("render", "--values", values);
        assertThat(run.code()).isZero();
        assertThat(Bundle.documents(run.out())).containsExactlyInAnyOrderElementsOf(render());
        assertThat(run.err()).contains("Job/cce-ip-masq-agent-uninstall", "bundle cleanup-nodes");
    }

    @Test
    void refusedValuesAreAnsweredWithHelmsMessage() throws IOException {
        Path values = Files.writeString(dir.resolve("values.yaml"), "metrics: {port: 0}\n");
        BundleCli run = BundleCli.run("render", "--values", values);
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("port");
    }

    /** A cluster of the environment has the user's ConfigMap, which would then not be rendered. */
    @Test
    void theClusterOfTheEnvironmentIsNotAsked() throws Exception {
        Path kubeconfig = StandInCluster.start();
        StandInCluster.hasConfigMap();
        try {
            Ended ended = process(System.getProperty("java.class.path"), Map.of("KUBECONFIG", kubeconfig.toString()));
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(Bundle.documents(ended.out()).stream().map(Rendered::name))
                    .contains("ConfigMap/cce-ip-masq-agent");
        } finally {
            StandInCluster.hasNone();
        }
    }

    /** As in the container image, which leaves Helm's engine out. */
    @Test
    void withoutHelmsEngineItSaysWhatToDo() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("helm-java"))
                .collect(Collectors.joining(File.pathSeparator));
        Ended ended = process(classPath, Map.of());
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("needs Helm's engine").doesNotContain("\tat ");
    }

    private record Ended(int code, String out, String err) {}

    private Ended process(String classPath, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                Fleet.class.getName(),
                "bundle",
                "render");
        builder.environment().putAll(environment);
        Path out = dir.resolve("stdout");
        Path err = dir.resolve("stderr");
        int code = builder.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new Ended(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
