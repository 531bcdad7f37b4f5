package net.ipmasq.app;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Map;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.RunLine;
import net.ipmasq.cli.SettingsLookup;

/** Entry point. Only {@code run} without {@code --once} starts Quarkus, and only after its first pass. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(RunLine.parse(args).map(Main::serve).orElseGet(() -> new Cli(Service::run).execute(args)));
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
