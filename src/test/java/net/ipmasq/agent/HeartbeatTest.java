package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner;
import org.junit.jupiter.api.Test;

/** What the running agent's programs are called through. */
class HeartbeatTest {
    private Instant now = Instant.EPOCH;
    private final InstantSource source = () -> now;
    private final Clock clock = source.withZone(ZoneOffset.UTC);
    private final Heartbeat life = new Heartbeat(clock);

    /** Takes a second for each call, and can only hand its output over while it prints. */
    private final class Streaming implements CommandRunner {
        @Override
        public Outcome run(List<String> argv, String stdin, Duration limit) {
            throw new AssertionError("the whole output would be held in memory");
        }

        @Override
        public <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
            now = now.plusSeconds(1);
            try {
                T value = reading.read(new StringReader(String.join(" ", argv) + "\n"));
                return new Streamed<>(new Exited(0, "", ""), Optional.of(value));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean has(String program) {
            return true;
        }
    }

    private Optional<String> save() {
        return life.heard(new Streaming()).stream(
                        List.of("iptables-save", "-c"),
                        Duration.ofSeconds(30),
                        text -> new BufferedReader(text).readLine())
                .value();
    }

    @Test
    void whatIsReadAsAStreamStaysOne() {
        assertThat(save()).hasValue("iptables-save -c");
    }

    @Test
    void aProgramThatIsReadAsAStreamIsASignOfAPassOnly() {
        save();
        assertThat(life.silence()).isEqualTo(Duration.ofSeconds(1));
        life.begin();
        save();
        assertThat(life.silence()).isZero();
        life.end();
        save();
        assertThat(life.silence()).isEqualTo(Duration.ofSeconds(1));
    }
}
