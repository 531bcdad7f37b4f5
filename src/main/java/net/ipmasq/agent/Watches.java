package net.ipmasq.agent;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Starts what follows the node between passes. A watch that cannot start ends nothing, whatever it throws: log and status
 * show it, and passes find at the interval what it would have reported.
 */
public final class Watches {
    private final AgentLoop loop;
    private final Consumer<String> log;

    /** Makes a watch and starts it. */
    @FunctionalInterface
    public interface Starter {
        /**
         * @throws IOException if the system does not give what the watch needs
         */
        void start() throws IOException;
    }

    /**
     * @param log takes one line for each watch that cannot start
     */
    public Watches(AgentLoop loop, Consumer<String> log) {
        this.loop = loop;
        this.log = log;
    }

    /**
     * Starts one watch.
     *
     * @param what it follows, as {@code notFollowed} of the status names it
     * @param text the same for a reader, for example {@code the configuration file}
     */
    public void start(String what, String text, Starter watch) {
        try {
            watch.start();
        } catch (IOException | RuntimeException | Error e) {
            String line = text + " cannot be watched (" + e + "): looked at once per interval only";
            loop.notFollowed(what, line);
            log.accept(line);
        }
    }
}
