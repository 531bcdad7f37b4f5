package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.agent.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The quick reading of {@code run} means what picocli's means. */
class RunLineTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run --config /a/b --profile gke --state-dir /s --backend iptables-nft",
                "run --config=/a/b --profile=upstream",
                "run --masq-chain=IP-MASQ --nomasq-all-reserved-ranges",
                "run -masq-chain IP-MASQ -nomasq-all-reserved-ranges=true -enable-ipv6=false",
                "run --enable-ipv6 --random-fully=false --resync-interval 30 -v=2 --logtostderr",
                "run --v 4 -logtostderr=true --resync-interval=1m30s",
                "run -v 2 -to-ports 1024-29999,32768-65535",
                "run --to-ports=42",
                "run --alsologtostderr -stderrthreshold INFO --log_dir=/var/log --vmodule=a=1 --masq-chain X",
            })
    void readsAsPicocliDoes(String line) {
        String[] args = line.split(" ");
        Optional<Map<String, String>> quick = RunLine.parse(args);
        assertThat(quick).isPresent();
        Settings fast = Settings.of(new SettingsLookup(quick.get(), Map.of()));
        AtomicReference<Settings> slow = new AtomicReference<>();
        int code = new Cli(settings -> {
                    slow.set(settings);
                    return 42;
                })
                .execute(args);
        assertThat(code).isEqualTo(42);
        assertThat(fast).isEqualTo(slow.get());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --once",
                "run --help",
                "run -o json",
                "run --unknown",
                "run --config",
                "run --config --profile",
                "run --config a --config b",
                "run -config a",
                "run -v x",
                "run --profile=",
                "run stray",
                "check x",
            })
    void leavesTheRestToPicocli(String line) {
        assertThat(RunLine.parse(line.split(" "))).isEmpty();
    }

    @Test
    void knowsEveryFlagOfRun() {
        CommandLine run = new CommandLine(new RunCommand());
        for (OptionSpec option : run.getCommandSpec().options()) {
            for (String name : option.names()) {
                boolean needsPicocli = option.usageHelp()
                        || option.versionHelp()
                        || name.equals("--once")
                        || name.equals("-o")
                        || name.equals("--output");
                String value = name.endsWith("v") ? "1" : "x";
                assertThat(RunLine.parse("run", name + "=" + value).isPresent())
                        .as(name)
                        .isEqualTo(!needsPicocli);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --masq-chain=ACCEPT",
                "run --to-ports=42-41",
                "run --enable-ipv6=maybe",
                "run --resync-interval=soon",
                "run --backend=pf",
            })
    void refusesWrongValuesAndNamesThem(String line) {
        StringWriter err = new StringWriter();
        int code = new Cli(settings -> 0)
                .to(new PrintWriter(err), new PrintWriter(err))
                .execute(line.split(" "));
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(line.substring(line.indexOf('=') + 1));
    }

    /** Containers of the Go agents have flags for arguments and no command. */
    @Test
    void aLineOfFlagsIsOneOfRun() {
        assertThat(RunLine.withCommand("--masq-chain=IP-MASQ", "-v=2"))
                .containsExactly("run", "--masq-chain=IP-MASQ", "-v=2");
        assertThat(RunLine.withCommand("-v", "2")).startsWith("run");
        assertThat(RunLine.withCommand("/opt/x/ip-masq-agent", "status", "-o", "json"))
                .containsExactly("status", "-o", "json");
        assertThat(RunLine.withCommand("/opt/x/ip-masq-agent", "--v=2")).containsExactly("run", "--v=2");
        assertThat(RunLine.withCommand("/opt/x/ip-masq-agent")).isEmpty();
        for (String[] kept : new String[][] {{}, {"--help"}, {"-h"}, {"--version"}, {"-V"}, {"check", "-"}, {"run"}}) {
            assertThat(RunLine.withCommand(kept)).isEqualTo(kept);
        }
    }
}
