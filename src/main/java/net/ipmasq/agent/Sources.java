package net.ipmasq.agent;

import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/** Where the configuration comes from, as the settings have it. */
public final class Sources {
    private Sources() {}

    /** The configuration file. */
    public static ConfigSource file(Settings settings) {
        return new FileSource(settings.config(), settings.patience());
    }

    /**
     * What commands judge: the file that they are given; without one, in a cluster, what the agent of this node has stored
     * as in force, since its own source is the API.
     */
    public static ConfigSource ofCommands(Settings settings) {
        return usesApi(settings) && !settings.configGiven() ? new StoredOnly() : file(settings);
    }

    /**
     * The same for a look at a node where no agent may run: where the service takes its configuration from the API and has
     * stored nothing, the mounted file is what the node is compared with, if there is one.
     */
    public static ConfigSource ofLook(Settings settings) {
        boolean mounted = settings.source() == Settings.Source.AUTO
                && Files.exists(settings.config())
                && new StateStore(settings.stateDir()).load().isEmpty();
        return mounted ? file(settings) : ofCommands(settings);
    }

    /** Whether the service takes its configuration from the API. */
    public static boolean usesApi(Settings settings) {
        return switch (settings.source()) {
            case FILE -> false;
            case KUBERNETES -> true;
            case AUTO -> isGiven(System.getenv("KUBERNETES_SERVICE_HOST")) || isGiven(System.getenv("KUBECONFIG"));
        };
    }

    private static boolean isGiven(@Nullable String variable) {
        return variable != null && !variable.isBlank();
    }

    private record StoredOnly() implements ConfigSource {
        @Override
        public SourceReading<Content> read() {
            return new SourceReading.Unknown<>(
                    "commands do not ask the API: the configuration that the agent stored last applies, or"
                            + " give --config FILE");
        }

        @Override
        public String where() {
            return "the agent's stored state";
        }
    }
}
