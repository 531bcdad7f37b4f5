package net.ipmasq.agent;

import java.util.function.Consumer;

/** Logs a problem once while it lasts, and once when it is over. For one thread. */
final class TransitionLog {
    private final Consumer<String> log;
    private String said = "";

    TransitionLog(Consumer<String> log) {
        this.log = log;
    }

    void issue(String line) {
        if (!line.equals(said)) {
            said = line;
            log.accept(line);
        }
    }

    void over(String line) {
        if (!said.isEmpty()) {
            said = "";
            log.accept(line);
        }
    }
}
