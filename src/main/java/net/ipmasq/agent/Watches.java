package net.ipmasq.agent;

import java.util.function.Consumer;

/**
 * Starts what follows the node between passes. A watch that cannot start ends nothing, whatever it throws: log and status
 * show it, and passes find at the interval what it would have reported.
 */
public final class Watches {
    private final AgentLoop loop;
    private final Consumer<String> log;

    /**
     * @param log takes one line for each watch that cannot start
     */
    public Watches(AgentLoop loop, Consumer<String> log) {
        this.loop = loop;
        this.log = log;
    }

    /**
     * Starts one watch. What its thread meets later, such as a kernel that gives it nothing, it reports by itself and
     * tries again; what comes back from here, such as no thread to be had, stays.
     *
     * @param what it follows, as {@code notFollowed} of the status names it
     * @param text the same for a reader, for example {@code the configuration file}
     * @param watch makes it and starts it
     */
    public void start(String what, String text, Runnable watch) {
        try {
            watch.run();
        } catch (RuntimeException | Error e) {
            String line = text + " cannot be watched (" + e + "): looked at once per interval only";
            loop.notFollowed(what, line);
            log.accept(line);
        }
    }
}
