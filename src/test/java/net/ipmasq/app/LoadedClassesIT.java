package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Artifact;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JVM loads for {@code run}, by its own log: nothing of bundle, and none of the libraries that only bundle uses. */
@NeedsKernel(tools = {"ip", "iptables", "ip6tables"})
class LoadedClassesIT {
    private static final List<String> OF_THE_OPERATOR = List.of(
            "net.ipmasq.bundle.",
            "com.github.zafarkhaja.",
            "com.marcnuri.",
            "com.networknt.",
            "com.sun.jna.",
            "org.apache.commons.compress.");

    @TempDir
    Path dir;

    private List<String> arguments(String... more) throws IOException {
        Path config = Files.writeString(dir.resolve("config"), "nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        List<String> args = new ArrayList<>(List.of(
                "run",
                "--config",
                config.toString(),
                "--state-dir",
                dir.resolve("state").toString()));
        args.addAll(List.of(more));
        return args;
    }

    /** A native binary loads no classes. */
    private static List<String> onJvm(String... arguments) {
        return Artifact.underTest().onJvm().command(arguments);
    }

    private Map<String, String> logging() {
        return Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + dir.resolve("classes"));
    }

    private List<String> loaded() throws IOException {
        return Files.readAllLines(dir.resolve("classes"));
    }

    private static void assertOfTheAgentOnly(List<String> loaded) {
        assertThat(loaded).anyMatch(line -> line.contains("net.ipmasq.agent.Reconciler "));
        assertThat(loaded).noneMatch(line -> OF_THE_OPERATOR.stream().anyMatch(line::contains));
    }

    @Test
    void theServiceAfterItsFirstPassAndItsEnd() throws IOException {
        try (NetNs ns = NetNs.create();
                AgentProcess agent = AgentProcess.startCommand(
                        ns, logging(), onJvm(arguments().toArray(String[]::new)))) {
            agent.awaitLine("rules in place");
            agent.terminate();
        }
        assertThat(loaded()).anyMatch(line -> line.contains("net.ipmasq.app.Service "));
        assertOfTheAgentOnly(loaded());
    }

    /** This line is read by picocli, which loads a command with all below it. */
    @Test
    void onePass() throws IOException {
        try (NetNs ns = NetNs.create()) {
            AgentProcess.Result result = AgentProcess.runCommand(
                    ns, logging(), onJvm(arguments("--once").toArray(String[]::new)));
            assertThat(result.code()).as("%s", result).isZero();
        }
        assertThat(loaded()).anyMatch(line -> line.contains("picocli.CommandLine "));
        assertOfTheAgentOnly(loaded());
    }

    /** The log does name classes of bundle where a command of it runs. */
    @Test
    void aCommandOfBundleIsSeen() throws IOException {
        try (NetNs ns = NetNs.create()) {
            AgentProcess.Result result =
                    AgentProcess.runCommand(ns, logging(), onJvm("bundle", "cleanup-nodes", "--help"));
            assertThat(result.code()).as("%s", result).isZero();
        }
        assertThat(loaded())
                .anyMatch(line -> line.contains("net.ipmasq.bundle.cluster.uninstall.")
                        || line.contains("net.ipmasq.bundle.cli.CleanupNodesCommand "));
    }
}
