package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.ipmasq.dataplane.CommandRunner;
import org.junit.jupiter.api.Test;

@NeedsKernel
class NetNsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void closingDeletesIt() {
        NetNs ns = NetNs.create();
        Path file = Path.of("/run/netns", ns.name());
        assertThat(file).exists();
        ns.close();
        ns.close();
        assertThat(file).doesNotExist();
        assertThat(ns.lockFile()).doesNotExist();
    }

    @Test
    void filesAreThoseOfTheNamespace() {
        try (NetNs ns = NetNs.create()) {
            NetNsFiles files = new NetNsFiles(ns);
            ns.sh("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
            assertThat(files.read("/proc/sys/net/ipv6/conf/all/disable_ipv6")).hasValue("1\n");
            assertThat(files.read("/proc/sys/net/ipv6/conf/lo/none")).isEmpty();
            // legacy tables appear with the first look, and only where it happens
            assertThat(files.read("/proc/net/ip_tables_names")).hasValue("");
            ns.run("iptables-legacy", "-t", "nat", "-S");
            assertThat(files.read("/proc/net/ip_tables_names")).hasValue("nat\n");
            try (NetNs other = NetNs.create()) {
                assertThat(new NetNsFiles(other).read("/proc/net/ip_tables_names"))
                        .hasValue("");
            }
        }
    }

    @Test
    void theRunnerRecordsCallsAndCanHidePrograms() {
        try (NetNs ns = NetNs.create()) {
            NetNsRunner runner = new NetNsRunner(ns);
            List<List<String>> announced = new ArrayList<>();
            runner.before(announced::add);
            List<String> restore = List.of("iptables-nft-restore", "--noflush");
            String rules = "*nat\n:X - [0:0]\n-A X -d 10.0.0.0/8 -j RETURN\nCOMMIT\n";

            assertThat(runner.run(restore, rules, LIMIT)).isEqualTo(new CommandRunner.Exited(0, "", ""));
            assertThat(ns.run("iptables-nft-save", "-t", "nat")).contains("-A X -d 10.0.0.0/8 -j RETURN");
            assertThat(announced).containsExactly(restore);
            assertThat(runner.restores()).singleElement().satisfies(call -> {
                assertThat(call.stdin()).isEqualTo(rules);
                assertThat(call.exitCode()).hasValue(0);
            });

            assertThat(runner.hide("iptables-nft-restore").has("iptables-nft-restore"))
                    .isFalse();
            assertThat(runner.run(restore, rules, LIMIT)).isInstanceOf(CommandRunner.NotStarted.class);
            assertThat(runner.show("iptables-nft-restore").has("iptables-nft-restore"))
                    .isTrue();
            assertThat(runner.env("PATH", "/nowhere").has("iptables-nft-restore"))
                    .isFalse();
        }
    }

    @Test
    void theRunnerEndsProgramsAtTheirLimitAndReportsExitCodes() {
        try (NetNs ns = NetNs.create()) {
            NetNsRunner runner = new NetNsRunner(ns);
            Duration shortly = Duration.ofMillis(100);
            assertThat(runner.run(List.of("sleep", "60"), "", shortly)).isEqualTo(new CommandRunner.TimedOut(shortly));
            assertThat(runner.run(List.of("sh", "-c", "cat >&2; exit 4"), "in", LIMIT))
                    .isEqualTo(new CommandRunner.Exited(4, "", "in"));
            // input that nobody reads is no failure
            assertThat(runner.run(List.of("true"), "x".repeat(1 << 20), LIMIT))
                    .isEqualTo(new CommandRunner.Exited(0, "", ""));
        }
    }

    @Test
    void theLegacyLockIsTheNamespacesOwn() {
        try (NetNs ns = NetNs.create()) {
            ns.run("iptables-legacy", "-t", "nat", "-N", "X");
            assertThat(Files.exists(ns.lockFile())).isTrue();
            CommandRunner.Outcome held = ns.tryRun(
                    List.of("flock", ns.lockFile().toString(), "iptables-legacy", "-w", "1", "-t", "nat", "-X", "X"),
                    "");
            assertThat(held)
                    .isInstanceOfSatisfying(
                            CommandRunner.Exited.class,
                            exited -> assertThat(exited.code()).isEqualTo(4));
        }
    }

    @Test
    void whatIsMissingFailsInCiAndSkipsElsewhere() {
        List<String> missing = List.of("nft is not on PATH", "apt-get install nftables");
        assertThat(KernelCondition.judge(missing, false).isDisabled()).isTrue();
        assertThat(KernelCondition.judge(List.of(), true).isDisabled()).isFalse();
        assertThatThrownBy(() -> KernelCondition.judge(missing, true)).hasMessageContaining("apt-get install nftables");
    }
}
