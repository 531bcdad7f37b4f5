package net.ipmasq.bundle.cli;

import picocli.CommandLine.Command;

/** {@code bundle}: the add-on bundle, for whoever ships it and for a fleet that has it. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description =
                "Builds, judges, renders and compares add-on bundles; says what a cluster says to one, brings it in"
                        + " and takes it out.",
        subcommands = {
            BundleBuildCommand.class,
            BundleVerifyCommand.class,
            BundleRenderCommand.class,
            BundleDiffCommand.class,
            PreflightCommand.class,
            ApplyCommand.class,
            CleanupNodesCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example: ip-masq-fleet bundle preflight"})
final class BundleCommand {}
