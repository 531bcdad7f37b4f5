package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.ForeignRuleProbe;
import org.junit.jupiter.api.Test;

/** Text of others on its way to people. */
class ForeignTextTest {
    private static final String BAD = "a\rb\u001b[2Jc\nd";

    @Test
    void aLogLineIsOneLineOfVisibleText() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LineLog log = new LineLog(new PrintStream(bytes, true, StandardCharsets.UTF_8), false, Clock.systemUTC());
        log.log(LineLog.Level.WARN, BAD, Map.of("field", BAD));
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .endsWith(" WARN  a\\u000db\\u001b[2Jc d field=a\\u000db\\u001b[2Jc d\n");
    }

    @Test
    void whatAToolSaysAndWhatItShows() {
        assertThat(new Failure(FailureCode.REJECTED, "nft failed: " + BAD, "").oneLine())
                .doesNotContain("\r", "\u001b", "\n");
        assertThat(ForeignRuleProbe.found(BAD).rule().orElseThrow()).doesNotContain("\r", "\u001b", "\n");
    }
}
