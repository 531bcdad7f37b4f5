package net.ipmasq.cli;

import static net.ipmasq.json.JsonText.object;

import java.util.Map;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Profiles;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileWriter;
import net.ipmasq.profile.ProviderProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code profile}: what providers decide. */
@Command(
        name = "profile",
        mixinStandardHelpOptions = true,
        description = "Lists and shows provider profiles.",
        subcommands = {ProfileCommand.ListCommand.class, ProfileCommand.ShowCommand.class},
        synopsisSubcommandLabel = "(list | show)",
        footer = {"", "Example: ip-masq-agent profile show gke"})
final class ProfileCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    /** {@code profile list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Names the built-in profiles.",
            footer = {"", "Example: ip-masq-agent profile list -o json"})
    static final class ListCommand implements Callable<Integer> {
        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                description = "text (default), json or yaml.")
        Output.Format format = Output.Format.text;

        @Spec
        @SuppressWarnings("NullAway.Init")
        CommandSpec spec;

        @Override
        public Integer call() {
            Output.print(
                    spec.commandLine().getOut(),
                    format,
                    BuiltInProfiles.names(),
                    () -> String.join("\n", BuiltInProfiles.names()) + "\n");
            return ExitCode.OK;
        }
    }

    /** {@code profile show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            modelTransformer = LogFlags.class,
            description = "Shows a profile, built-in values filled in and flags applied.",
            footer = {"", "Example: ip-masq-agent profile show cce -o yaml"})
    static final class ShowCommand implements Callable<Integer> {
        @Mixin
        CommonOptions common = new CommonOptions();

        @Mixin
        GoFlags goFlags = new GoFlags();

        @Parameters(arity = "0..1", paramLabel = "NAME|FILE", description = "Profile (default: that of --profile).")
        String name = "";

        @Spec
        @SuppressWarnings("NullAway.Init")
        CommandSpec spec;

        @Override
        public Integer call() {
            var settings = common.settings(goFlags.flags());
            ProviderProfile profile =
                    settings.overrides().applyTo(Profiles.named(name.isEmpty() ? settings.profile() : name));
            Output.print(
                    spec.commandLine().getOut(), common.format, document(profile), () -> ProfileWriter.write(profile));
            return ExitCode.OK;
        }

        private static Map<String, Object> document(ProviderProfile profile) {
            return object(
                    "name", profile.name(),
                    "configMap",
                            object(
                                    "namespace", profile.configMap().namespace(),
                                    "name", profile.configMap().name()),
                    "effective", JsonDocuments.effective(EffectiveConfig.of(AgentConfig.EMPTY, profile)),
                    "enforced", profile.enforced());
        }
    }
}
