package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.Assembly;
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
                "run --v=2 --logtostderr=false --log_file=/dev/stdout --log_file_max_size=0 --masq-chain=IP-MASQ"
                        + " --random-fully=false",
                "run -log-file=/dev/stdout -log-file-max-size 0 --skip-headers --skip_log_headers=T --add_dir_header=0",
                "run --logtostderr=false --log_dir /var/log/x -one_output -alsologtostderrthreshold warning",
                "run --logtostderr=1 --log_file=/var/log/x.log --legacy_stderr_threshold_behavior=False",
                "run --log_backtrace_at=main.go:42 --vmodule=a=1,b*=2 --stderrthreshold=3 --v=-1",
            })
    void readsAsPicocliDoes(String line) {
        String[] args = line.split(" ");
        Optional<RunLine> quick = RunLine.parse(args);
        assertThat(quick).isPresent();
        Served slow = served(args);
        assertThat(Settings.of(new SettingsLookup(quick.get().settings(), Map.of())))
                .isEqualTo(slow.settings());
        assertThat(quick.get().log()).isEqualTo(slow.log());
    }

    private record Served(Settings settings, LogTarget log) {}

    /** What the agent is started with when picocli reads the line. */
    private static Served served(String... args) {
        AtomicReference<Served> served = new AtomicReference<>();
        int code = new Cli(Assembly.ofThisMachine(), (settings, log) -> {
                    served.set(new Served(settings, log));
                    return 42;
                })
                .execute(args);
        assertThat(code).isEqualTo(42);
        return served.get();
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
                "run -v=1 --v=2",
                "run --log_file=a --log-file=b",
                "run --log_file=",
                "run --enable-ipv6 false",
                "run --logtostderr=maybe",
                "run masq-chain=X",
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
                assertThat(List.of("1", "x.y:1", "x=1").stream()
                                .anyMatch(value ->
                                        RunLine.parse("run", name + "=" + value).isPresent()))
                        .as(name)
                        .isEqualTo(!needsPicocli);
            }
        }
    }

    /** As in klog's own list, so that none is missing in both readings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "add_dir_header=true",
                "alsologtostderr",
                "alsologtostderrthreshold=ERROR",
                "legacy_stderr_threshold_behavior=false",
                "log_backtrace_at=:0",
                "log_dir=",
                "log_file=",
                "log_file_max_size=1800",
                "logtostderr=TRUE",
                "one_output=f",
                "skip_headers",
                "skip_log_headers=1",
                "stderrthreshold=2",
                "v=4",
                "vmodule=",
            })
    void takesAllOfKlog(String flag) {
        String name = flag.replaceFirst("=.*", "");
        for (String dashes : List.of("-", "--")) {
            for (String spelling : List.of(name, name.replace('_', '-'))) {
                assertThat(served("run", dashes + spelling + flag.substring(name.length()))
                                .log())
                        .as(dashes + spelling)
                        .isEqualTo(LogTarget.DEFAULT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logtostderr=maybe",
                "logtostderr=",
                "skip_headers=yes",
                "one-output=2",
                "v=high",
                "v=",
                "log_file_max_size=-1",
                "log-file-max-size=1g",
                "stderrthreshold=LOUD",
                "alsologtostderrthreshold=",
                "vmodule=main",
                "log_backtrace_at=main",
            })
    void refusesWhatKlogRefuses(String flag) {
        String said = refused("run", "--" + flag);
        assertThat(said)
                .contains("--" + flag.replaceFirst("=.*", "").replace('-', '_'))
                .contains("'" + flag.replaceFirst("[^=]*=", "") + "'")
                .contains("it is ");
        assertThat(refused("plan", "--" + flag)).isEqualTo(said);
    }

    private static String refused(String... line) {
        StringWriter err = new StringWriter();
        int code = new Cli(Assembly.ofThisMachine(), (settings, log) -> 0)
                .to(new PrintWriter(err), new PrintWriter(err))
                .execute(line);
        assertThat(code).as(err.toString()).isEqualTo(2);
        return err.toString();
    }

    /** Go reads true and stops reading; a person means false. */
    @ParameterizedTest
    @ValueSource(strings = {"--enable-ipv6 false", "-random-fully 0", "--logtostderr false", "--skip_headers True"})
    void aBoolTakesNoWordBehindIt(String flag) {
        String[] words = flag.split(" ");
        String name = words[0].replaceFirst("-+", "");
        assertThat(refused("run", words[0], words[1], "--masq-chain=X")).contains("write --" + name + "=" + words[1]);
    }

    /** It took the address for the flag's value. */
    @Test
    void aBoolBeforeAnArgumentLeavesItAlone() {
        assertThat(FlagWords.complete("explain", "--enable-ipv6", "8.8.8.8"))
                .containsExactly("explain", "--enable-ipv6=true", "8.8.8.8");
        assertThat(refused("explain", "--enable-ipv6", "nonsense")).contains("'nonsense' is a DNS name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "masq-chain=IP-MASQ",
                "run masq-chain=IP-MASQ",
                "--v=2 log_file=/dev/stdout",
                "run enable-ipv6",
                "run config=/etc/x",
                "plan random-fully=false"
            })
    void namesFlagsWithoutDashes(String line) {
        String[] words = line.split(" ");
        String word = words[words.length - 1];
        assertThat(refused(RunLine.withCommand(words)))
                .contains("'" + word + "' is a flag without its dashes: write --" + word);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run stray", "profile lis", "run --masq-chain v=2 stray", "status config", "check a b"})
    void saysNothingOfDashesElsewhere(String line) {
        assertThat(refused(line.split(" "))).doesNotContain("dashes").doesNotContain("write --");
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
        int code = new Cli(Assembly.ofThisMachine(), (settings, log) -> 0)
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
        for (String[] kept : new String[][] {{}, {"--help"}, {"-h"}, {"--version"}, {"-V"}, {"check", "-"}, {"run"}}) {
            assertThat(RunLine.withCommand(kept)).isEqualTo(kept);
        }
    }
}
