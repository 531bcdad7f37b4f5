package net.ipmasq.cli;

import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that all commands share. */
final class CommonOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file (default " + Settings.DEFAULT_CONFIG + ").")
    @Nullable
    String config;

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description = "Provider profile (default " + Settings.DEFAULT_PROFILE + ").")
    @Nullable
    String profile;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Where the last good state is kept (default " + Settings.DEFAULT_STATE_DIR + ").")
    @Nullable
    String stateDir;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description =
                    "iptables (the variant the node uses; default), iptables-nft, iptables-legacy, nftables, or auto (nftables"
                            + " where kube-proxy runs in nftables mode and nobody else holds nat rules in iptables).")
    @Nullable
    String backend;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text (default), json or yaml.")
    Output.Format format = Output.Format.text;

    Settings settings(Map<String, String> more) {
        Map<String, String> flags = new LinkedHashMap<>(more);
        put(flags, "config", config);
        put(flags, "profile", profile);
        put(flags, "state-dir", stateDir);
        put(flags, "backend", backend);
        return Settings.of(new SettingsLookup(flags, System.getenv()));
    }

    Settings settings() {
        return settings(Map.of());
    }

    /**
     * For commands that judge a configuration and do not keep the kernel at it.
     *
     * @throws UsageException if the file that was named on the command line is not there; one that only the environment
     *     names may be missing, as in a pod whose ConfigMap does not exist
     */
    Settings settingsOfLook(Map<String, String> more) {
        Settings settings = settings(more);
        if (config != null && !config.isBlank() && !Files.exists(settings.config())) {
            throw new UsageException(
                    "--config: there is no file " + config + "; correct the name, or leave the option out");
        }
        return settings;
    }

    static void put(Map<String, String> flags, String name, @Nullable Object value) {
        if (value != null) {
            flags.put(name, value.toString());
        }
    }
}
