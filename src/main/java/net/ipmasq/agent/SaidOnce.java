package net.ipmasq.agent;

import java.util.function.Consumer;

/** Logs a problem once while it lasts, and once when it is over. For one thread. */
final class SaidOnce {
    private final Consumer<String> log;
    private String said = "";

    SaidOnce(Consumer<String> log) {
        this.log = log;
    }

    void trouble(String line) {
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
