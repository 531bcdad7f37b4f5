package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where klog's flags send the log. */
class LogTargetTest {

    private static LogTarget target(String line) {
        Map<String, String> given = new TreeMap<>();
        for (String pair : line.split(" ")) {
            given.put(pair.replaceFirst("=.*", ""), pair.replaceFirst("[^=]*=", ""));
        }
        return LogTarget.of(given);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logtostderr=false log_file=/dev/stdout log_file_max_size=0",
                "log_file=/dev/stdout",
                "log_file=/proc/self/fd/1",
                "log_file=/dev/fd/1 log_dir=/var/log",
                "log_file=/dev/stdout alsologtostderr=true",
            })
    void standardOutputIsObeyed(String line) {
        assertThat(target(line).standardOutput()).isTrue();
        assertThat(target(line).warnings()).isEmpty();
        assertThat(target(line).stream()).isSameAs(System.out);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v=2",
                "logtostderr=true log_file=/dev/stdout",
                "logtostderr=1 log_file=/var/log/agent.log",
                "logtostderr=T log_dir=/var/log",
                "logtostderr=false log_file=/dev/stderr",
                "log_file= log_dir=",
                "skip_headers=true",
            })
    void standardErrorIsWhereItGoesElse(String line) {
        assertThat(target(line)).isEqualTo(LogTarget.DEFAULT);
        assertThat(target(line).stream()).isSameAs(System.err);
    }

    @ParameterizedTest
    @CsvSource({
        "logtostderr=false log_file=/var/log/agent.log, --log_file=/var/log/agent.log",
        "log_file=/var/log/agent.log log_dir=/var/log, --log_file=/var/log/agent.log",
        "log_dir=/var/log, --log_dir=/var/log",
        "logtostderr=false, --logtostderr=false",
    })
    void whoAsksForFilesIsTold(String line, String flag) {
        LogTarget target = target(line);
        assertThat(target.standardOutput()).isFalse();
        assertThat(target.warnings())
                .singleElement()
                .asString()
                .startsWith(flag + ":")
                .contains("no log files", "standard error", "--log_file=/dev/stdout");
    }
}
