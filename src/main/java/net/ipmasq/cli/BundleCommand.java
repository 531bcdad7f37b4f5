package net.ipmasq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bundle}: the add-on as a fleet has it. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description = "The add-on: what a cluster says to it, how it gets in and out.",
        subcommands = {PreflightCommand.class, ApplyCommand.class, CleanupNodesCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example: ip-masq-agent bundle preflight"})
final class BundleCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
