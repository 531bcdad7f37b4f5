package net.ipmasq.agent;

import java.util.function.Consumer;

/** Logs a problem once while it lasts, and once when it is over. For one thread. */
final class TransitionLog {
    private final Consumer<String> log;
    private String current = "";

    TransitionLog(Consumer<String> log) {
        this.log = log;
    }

    void issue(String line) {
        if (!line.equals(current)) {
            current = line;
            log.accept(line);
        }
    }

    void over(String line) {
        if (!current.isEmpty()) {
            current = "";
            log.accept(line);
        }
    }
}
