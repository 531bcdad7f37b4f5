package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonReader;
import org.junit.jupiter.api.Test;

/** What the process writes, where logs are asked for as JSON: each line one object. */
class JsonLinesTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream console = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final LineLog log = new LineLog(console, true, Clock.systemUTC());
    private final PrintStream err = JsonLines.printing(console, log);

    private List<Map<String, Object>> objects() throws IOException {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (String line : bytes.toString(StandardCharsets.UTF_8).lines().toList()) {
            objects.add(JsonReader.object(line));
        }
        return objects;
    }

    @Test
    void aLineOfALibraryBecomesTheMessageOfOne() throws IOException {
        err.println("2026-01-01 WARN \"quoted\" \u5907\u6ce8 \u001b[31m");
        err.print("in two ");
        err.print("parts\r\n\n");
        err.println("{ not JSON }");
        assertThat(objects())
                .extracting(line -> line.get("message"))
                .containsExactly("2026-01-01 WARN \"quoted\" \u5907\u6ce8 \u001b[31m", "in two parts", "{ not JSON }");
        assertThat(objects()).allSatisfy(line -> assertThat(line).containsKeys("time", "level"));
    }

    @Test
    void whatIsJsonStaysAsItIs() throws IOException {
        err.println("{\"level\":\"WARN\",\"message\":\"mine\"}");
        log.log(LineLog.Level.INFO, "ours", Map.of());
        assertThat(objects()).extracting(line -> line.get("message")).containsExactly("mine", "ours");
    }

    @Test
    void aStackOfAThreadThatEndedIsOneLine() throws IOException {
        JsonLines.uncaught(log).uncaughtException(Thread.currentThread(), new IllegalStateException("no luck"));
        assertThat(objects()).singleElement().satisfies(line -> {
            assertThat(line.get("message")).asString().contains("no luck");
            assertThat(line.get("stack")).asString().contains("\n\tat ");
        });
    }

    @Test
    void aLineWithoutEndIsCut() throws IOException {
        for (int i = 0; i < 40; i++) {
            err.print("x".repeat(10_000));
        }
        assertThat(objects()).hasSize(6);
    }
}
