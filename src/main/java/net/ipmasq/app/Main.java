package net.ipmasq.app;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.RunLine;
import net.ipmasq.cli.SettingsLookup;

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
        try {
            return Service.run(Settings.of(new SettingsLookup(flags, System.getenv())));
        } catch (UsageException e) {
            System.err.println("ip-masq-agent: " + e.getMessage());
            return 2;
        }
    }
}
