package net.ipmasq.app;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.cli.AgentBundleCommand;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.LogTarget;
import net.ipmasq.cli.QuickStatus;
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
        Optional<RunLine> plain = RunLine.parse(args);
        if (plain.isPresent()) {
            System.exit(serve(plain.get()));
        }
        AtomicBoolean served = new AtomicBoolean();
        int code = command(served, args);
        if (served.get()) {
            // after a signal this waits for the shutdown that is under way
            System.exit(code);
        }
        Cli.end(code);
    }

    private static int serve(RunLine line) {
        boolean json = false;
        try {
            SettingsLookup lookup = new SettingsLookup(line.settings(), System.getenv());
            json = lookup.apply("log-format").filter("json"::equalsIgnoreCase).isPresent();
            return Service.run(Settings.of(lookup), line.log());
        } catch (UsageException e) {
            LineLog log = new LineLog(System.err, true, Clock.systemUTC());
            PrintStream out = json ? JsonLines.printing(System.err, log) : System.err;
            out.println("ip-masq-agent: " + e.getMessage());
            return 2;
        }
    }

    private static int command(AtomicBoolean served, String... args) {
        return switch (QuickStatus.run(System.getenv(), System.out, System.err, args)) {
            case QuickStatus.Printed(int code) -> code;
            case QuickStatus.NoAgent none -> cli(served, args).knowing(none).execute(args);
            case QuickStatus.Left left -> cli(served, args).execute(args);
        };
    }

    private static Cli cli(AtomicBoolean served, String... args) {
        BiFunction<Settings, LogTarget, Integer> service = (settings, log) -> {
            served.set(true);
            return Service.run(settings, log);
        };
        // the agent itself loads no class of bundle
        Assembly node = Assembly.ofThisMachine();
        return args.length > 0 && args[0].equals("run")
                ? new Cli(node, service)
                : new Cli(node, service, new AgentBundleCommand());
    }
}
