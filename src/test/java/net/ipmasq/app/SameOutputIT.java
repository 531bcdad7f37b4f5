package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.lab.Artifact;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The native binary prints what the JVM's package prints, byte by byte. */
@PackagedAgent
class SameOutputIT {
    private static final List<String> WITH_HELP = List.of(
            "",
            "run",
            "check",
            "plan",
            "render",
            "explain",
            "status",
            "cleanup",
            "profile",
            "profile list",
            "profile show",
            "bundle",
            "bundle cleanup-nodes",
            "generate-completion");

    @TempDir
    static Path dir;

    @BeforeAll
    static void onlyWithABinary() {
        assumeTrue(Artifact.underTest().isNative(), "the agent under test is a jar");
    }

    private static Exited run(List<String> line) {
        return (Exited) Programs.run(line, "", Map.of(), Duration.ofSeconds(60));
    }

    private static void same(String... args) {
        assertThat(run(Artifact.underTest().command(args)))
                .as(String.join(" ", args))
                .isEqualTo(run(Artifact.underTest().onJvm().command(args)));
    }

    @Test
    void helpOfEveryCommand() {
        for (String command : WITH_HELP) {
            same(Stream.concat(Stream.of(command.split(" ")).filter(word -> !word.isEmpty()), Stream.of("--help"))
                    .toArray(String[]::new));
        }
    }

    @Test
    void versionCompletionAndMistakes() {
        same("--version");
        same("generate-completion");
        same("nonsense");
        same("run", "--nonsense");
        same("bundle", "verify", "x.tgz", "--json");
        same("bundle", "cleanup-nodes", "--timeout", "0");
        same("bundle", "cleanup-nodes", "--kubeconfig", "/nowhere/kubeconfig");
    }

    @Test
    void profilesRulesAndAnswers() throws IOException {
        Path good = Files.writeString(dir.resolve("good"), "nonMasqueradeCIDRs: [10.0.0.0/8, \"fd00::/8\"]\n");
        Path bad =
                Files.writeString(dir.resolve("bad"), "nonMasqueradeCidrs: [10.0.0.1/8, 300.0.0.0/8]\n\tresync: 1x\n");
        for (String format : List.of("text", "json", "yaml")) {
            same("profile", "list", "-o", format);
            for (String profile : List.of("cce", "gke", "upstream")) {
                same("profile", "show", profile, "-o", format);
            }
            for (Path config : List.of(good, bad)) {
                same("check", "-o", format, config.toString());
                for (String backend : List.of("iptables", "nftables")) {
                    List<String> line = new ArrayList<>(List.of("render", "-o", format, "--backend", backend));
                    line.addAll(List.of("--config", config.toString()));
                    same(line.toArray(String[]::new));
                }
            }
        }
    }
}
