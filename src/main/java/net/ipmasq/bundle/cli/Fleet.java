package net.ipmasq.bundle.cli;

import net.ipmasq.cli.Cli;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The operator's program: everything that works on clusters or on archives of the add-on bundle. No node runs it. */
@Command(
        name = "ip-masq-fleet",
        mixinStandardHelpOptions = true,
        versionProvider = Cli.VersionProvider.class,
        description = "Builds and checks the add-on bundle of ip-masq-agent, installs it in clusters and removes it.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 ok, 1 difference found, 2 bad usage, 3 invalid bundle or values, errors or conflicts in a cluster,",
            "            4 the cluster does not answer or refuses.",
            "Example:    ip-masq-fleet bundle preflight --context prod"
        })
public final class Fleet {
    private Fleet() {}

    public static void main(String[] args) {
        Cli.end(program().execute(args));
    }

    /** The program with all its commands. */
    public static CommandLine program() {
        return Cli.program(new Fleet(), new BundleCommand());
    }
}
