package net.ipmasq.app;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.RunLine;
import net.ipmasq.cli.SettingsLookup;
import net.ipmasq.observe.JsonLines;
import net.ipmasq.observe.LineLog;

/** Entry point. Only {@code run} without {@code --once} starts Quarkus, and only after its first pass. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        String[] args = RunLine.withCommand(arguments);
        Optional<Map<String, String>> plain = RunLine.parse(args);
        AtomicBoolean served = new AtomicBoolean(plain.isPresent());
        int code = plain.isPresent()
                ? serve(plain.get())
                : new Cli(settings -> {
                            served.set(true);
                            return Service.run(settings);
                        })
                        .execute(args);
        if (served.get()) {
            // after a signal this waits for the shutdown that is under way
            System.exit(code);
        }
        System.out.flush();
        System.err.flush();
        // not System.exit: it looks for a logger in every jar first, which costs a command more than its own work
        Runtime.getRuntime().halt(code);
    }

    private static int serve(Map<String, String> flags) {
        boolean json = false;
        try {
            SettingsLookup lookup = new SettingsLookup(flags, System.getenv());
            json = lookup.apply("log-format").filter("json"::equalsIgnoreCase).isPresent();
            return Service.run(Settings.of(lookup));
        } catch (UsageException e) {
            LineLog log = new LineLog(System.err, true, Clock.systemUTC());
            PrintStream out = json ? JsonLines.printing(System.err, log) : System.err;
            out.println("ip-masq-agent: " + e.getMessage());
            return 2;
        }
    }
}
