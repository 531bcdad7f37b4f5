package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which connections go, and when. */
class ConnectionsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final List<String> ended = new ArrayList<>();
    private final Connections<String> three = new Connections<>(3, nanos::get, ended::add);

    private void pass(Duration time) {
        // beyond the largest number, as the real one may
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void theOneThatHasWaitedLongestMakesRoom() {
        three.opened("a");
        three.opened("b");
        three.opened("c");
        assertThat(ended).isEmpty();
        three.asked("a");
        three.answered("a");
        three.opened("d");
        assertThat(ended).containsExactly("b");
        three.opened("e");
        assertThat(ended).containsExactly("b", "c");
        assertThat(three.count()).isEqualTo(3);
    }

    @Test
    void oneThatIsBeingAnsweredStaysWhileAnotherCanGo() {
        three.opened("a");
        three.asked("a");
        three.opened("b");
        three.opened("c");
        three.opened("d");
        assertThat(ended).containsExactly("b");
        three.asked("c");
        three.asked("d");
        three.opened("e");
        assertThat(ended).as("not the new one").containsExactly("b", "a");
    }

    @Test
    void whoeverSaysNothingForLongGoes() {
        three.opened("silent");
        three.opened("busy");
        three.asked("busy");
        pass(Connections.WAITING);
        three.sweep();
        assertThat(ended).isEmpty();
        pass(Duration.ofSeconds(1));
        three.sweep();
        assertThat(ended).containsExactly("silent");
        three.answered("busy");
        pass(Connections.WAITING);
        three.sweep();
        assertThat(ended).containsExactly("silent");
        pass(Duration.ofSeconds(1));
        three.sweep();
        assertThat(ended).containsExactly("silent", "busy");
        assertThat(three.count()).isZero();
    }

    @Test
    void oneThatDoesNotReadItsAnswerGoesToo() {
        three.opened("a");
        three.asked("a");
        pass(Connections.ANSWERING.plusSeconds(1));
        three.sweep();
        assertThat(ended).containsExactly("a");
        three.answered("a");
        assertThat(three.count()).as("it does not come back").isZero();
    }

    @Test
    void oneThatWentByItselfIsForgotten() {
        three.opened("a");
        three.closed("a");
        pass(Duration.ofHours(1));
        three.sweep();
        assertThat(ended).isEmpty();
    }
}
