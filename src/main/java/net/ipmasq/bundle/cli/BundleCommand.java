package net.ipmasq.bundle.cli;

import picocli.CommandLine.Command;

/** {@code bundle}: the add-on bundle, for those who ship it and those who install it. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description =
                "Builds, verifies, renders and compares add-on bundles; checks a cluster before an install, applies"
                        + " manifests, and removes the agent's rules from every node.",
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
