package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tools' own words, as iptables 1.8.9 prints them, and the cause that the agent sees in them. */
class IptablesFailuresTest {
    private static Optional<Failure> of(CommandRunner.Outcome outcome) {
        return IptablesFailures.of(outcome, IpFamily.IPV4, "iptables-nft-restore");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4|Another app is currently holding the xtables lock. Perhaps you want to use the -w option?|LOCK_HELD|fuser",
                "4|Another app is currently holding the xtables lock; still 4s 0us time ahead to have a chance to grab the lock...|LOCK_HELD|fuser",
                "4|iptables-restore v1.8.9 (nf_tables): Could not fetch rule set generation id: Permission denied (you must be root)|NOT_PERMITTED|NET_ADMIN",
                "2|Fatal: can't open lock file /run/xtables.lock: Permission denied|NOT_PERMITTED|NET_ADMIN",
                "1|iptables-save v1.8.9 (legacy): Cannot initialize: Permission denied (you must be root)|NOT_PERMITTED|NET_ADMIN",
                "3|ip6tables-restore v1.8.9 (legacy): can't initialize ip6tables table `nat': Table does not exist (do you need to insmod?)|TABLE_MISSING|modprobe",
                "1|iptables-save v1.8.9 (nf_tables): Failed to initialize nft: Protocol not supported|TABLE_MISSING|modprobe",
                "1|Warning: Extension statistic revision 0 not supported, missing kernel module?|REJECTED|modprobe xt_statistic",
                "2|iptables-restore v1.8.9 (nf_tables): unknown option \"--random-fully\"|REJECTED|nothing was changed",
                "1|iptables-restore: line 3 failed|REJECTED|nothing was changed"
            })
    void theCauseIsNamedWithAFix(int code, String stderr, FailureCode expected, String fix) {
        Failure failure = of(new CommandRunner.Exited(code, "", stderr + "\n")).orElseThrow();
        assertThat(failure.code()).isEqualTo(expected);
        assertThat(failure.fix()).contains(fix);
        assertThat(failure.message()).contains("exit code " + code).contains(stderr);
    }

    @Test
    void otherEnds() {
        assertThat(of(new CommandRunner.Exited(0, "", "# Warning: iptables-legacy tables present")))
                .isEmpty();
        assertThat(of(new CommandRunner.TimedOut(Duration.ofSeconds(30))).orElseThrow())
                .matches(failure -> failure.code() == FailureCode.TIMEOUT
                        && failure.message().contains("30 s"));
        assertThat(of(new CommandRunner.NotStarted("No such file or directory")).orElseThrow())
                .matches(failure -> failure.code() == FailureCode.TOOL_MISSING);
        String long_ = "x".repeat(1000);
        assertThat(of(new CommandRunner.Exited(1, "", long_)).orElseThrow().message())
                .hasSizeLessThan(400)
                .endsWith("...");
    }
}
