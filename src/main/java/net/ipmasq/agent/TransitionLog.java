package net.ipmasq.agent;

import java.util.function.Consumer;

/** Logs a problem once while it lasts, and once when it is over. For one thread. */
final class TransitionLog {
    private final Consumer<String> log;
    private final Consumer<String> now;
    private String current = "";

    /**
     * @param now takes the problem as long as there is one, and the empty text when it is over
     */
    TransitionLog(Consumer<String> log, Consumer<String> now) {
        this.log = log;
        this.now = now;
    }

    void issue(String line) {
        if (!line.equals(current)) {
            current = line;
            now.accept(line);
            log.accept(line);
        }
    }

    void over(String line) {
        if (!current.isEmpty()) {
            current = "";
            now.accept("");
            log.accept(line);
        }
    }
}
