package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void itLooksUntilTheValueIsAsWanted() {
        Eventually.holds("three", looks::incrementAndGet, value -> value == 3);
        assertThat(looks).hasValue(3);
        Eventually.passes("five", () -> assertThat(looks.incrementAndGet()).isEqualTo(5));
        assertThat(looks).hasValue(5);
    }

    @Test
    void whatWasSeenLastIsInTheMessage() {
        assertThatThrownBy(() -> Eventually.holds("a zero", Duration.ZERO, looks::incrementAndGet, value -> value == 0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("never came true in 0 s: a zero; last value: " + looks.get());
        assertThatThrownBy(() -> Eventually.holds("text", Duration.ZERO, () -> "x".repeat(5000), String::isEmpty))
                .hasMessageEndingWith("xxx ...");
        assertThatThrownBy(() -> Eventually.passes(
                        "word", Duration.ZERO, () -> assertThat("spoken").contains("written")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("never came true in 0 s: word; ", "spoken", "written");
    }

    @Test
    void anythingButAFailedAssertionEndsTheWait() {
        assertThatThrownBy(() -> Eventually.passes("nothing", () -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);
    }
}
