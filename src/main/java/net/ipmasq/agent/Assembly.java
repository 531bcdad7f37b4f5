package net.ipmasq.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.GenerationGate;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.backend.Backends;
import net.ipmasq.dataplane.backend.NodeSurvey;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** Puts the agent's parts together from settings, with plain constructors: no framework has to be up for it. */
public final class Assembly {
    private Assembly() {}

    /** The node as the agent sees it; tests put a namespace here. */
    public record Node(CommandRunner commands, NodeFiles files) {}

    /** A reconciler over real parts, for commands. */
    public static Reconciler reconciler(Settings settings, Node node, Clock clock, Instant started) {
        return new Reconciler(
                dataplane(settings, node),
                sourceOfCommands(settings),
                profile(settings),
                store(settings),
                clock,
                started);
    }

    /**
     * A reconciler for a look at a node where no agent may run. Where the service takes its configuration from the API and
     * has stored nothing, the mounted file is what the node is compared with, if there is one.
     */
    public static Reconciler reconcilerOfLook(Settings settings, Node node, Clock clock, Instant started) {
        boolean mounted = settings.source() == Settings.Source.AUTO
                && Files.exists(settings.config())
                && store(settings).load().isEmpty();
        return new Reconciler(
                dataplane(settings, node),
                mounted ? source(settings) : sourceOfCommands(settings),
                profile(settings),
                store(settings),
                clock,
                started);
    }

    /** The configuration file. */
    public static ConfigSource source(Settings settings) {
        return new FileSource(settings.config(), settings.patience());
    }

    /**
     * What commands judge: the file that they are given; without one, in a cluster, what the agent of this node has stored
     * as in force, since its own source is the API.
     */
    public static ConfigSource sourceOfCommands(Settings settings) {
        return usesApi(settings) && !settings.configGiven() ? new StoredOnly() : source(settings);
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
        public Reading read() {
            return new Unknown("commands do not ask the API: the configuration that the agent stored last applies, or"
                    + " give --config FILE");
        }

        @Override
        public String where() {
            return "the agent's stored state";
        }
    }

    public static StateStore store(Settings settings) {
        return new StateStore(settings.stateDir());
    }

    /** The backend of the settings. */
    public static Dataplane dataplane(Settings settings, Node node) {
        Optional<Variant> variant = switch (settings.backend()) {
            case "iptables-nft" -> Optional.of(Variant.NFT);
            case "iptables-legacy" -> Optional.of(Variant.LEGACY);
            default -> Optional.empty();
        };
        IptablesDataplane iptables = new IptablesDataplane(node.commands(), node.files(), variant);
        NftablesDataplane nftables = new NftablesDataplane(node.commands(), node.files());
        return settings.backend().equals("auto")
                ? Backends.automatic(iptables, nftables, new NodeSurvey(iptables, nftables, node.files()))
                : Backends.configured(iptables, nftables, settings.backend().equals(NftablesDataplane.BACKEND));
    }

    /** The backend of the settings for the service: it reads nothing again that cannot have changed. */
    public static GenerationGate gate(Settings settings, Node node, Clock clock) {
        return new GenerationGate(dataplane(settings, node), settings.fullRead(), clock);
    }

    /**
     * The profile of the settings with flags applied.
     *
     * @throws UsageException if there is no such profile or it is not valid
     */
    public static ProviderProfile profile(Settings settings) {
        return withFlags(settings, profile(settings.profile()));
    }

    /** A profile with the flags of the settings over it. */
    public static ProviderProfile withFlags(Settings settings, ProviderProfile profile) {
        return settings.overrides().applyTo(profile);
    }

    /** A built-in profile by name, or one from a file. */
    public static ProviderProfile profile(String nameOrFile) {
        Optional<ProviderProfile> builtIn = BuiltInProfiles.profile(nameOrFile);
        if (builtIn.isPresent()) {
            return builtIn.get();
        }
        byte[] yaml;
        try {
            yaml = Files.readAllBytes(Path.of(nameOrFile));
        } catch (IOException e) {
            throw new UsageException("profile '" + nameOrFile + "' is neither built in ("
                    + String.join(", ", BuiltInProfiles.names()) + ") nor a readable file: " + Unreadable.why(e));
        }
        String name = String.valueOf(Path.of(nameOrFile).getFileName()).replaceFirst("\\.ya?ml$", "");
        return switch (ProfileReader.read(yaml, name)) {
            case ProfileReader.Good good -> good.profile();
            case ProfileReader.Bad bad ->
                throw new UsageException("profile " + nameOrFile + " is not valid:\n"
                        + String.join("\n", bad.findings().lines(Problem::oneLine)));
        };
    }
}
