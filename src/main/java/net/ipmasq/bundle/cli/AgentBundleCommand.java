package net.ipmasq.bundle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bundle} in the agent's program: the command that the uninstall's Job runs from the agent's image. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description =
                "Removes the agents of a cluster and their rules. The program ip-masq-fleet has the other commands of"
                        + " bundle.",
        subcommands = CleanupNodesCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example: ip-masq-agent bundle cleanup-nodes"})
public final class AgentBundleCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", hidden = true)
    List<String> others = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** What stands behind the name of a command that is not here belongs to that command. */
    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        spec.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() {
        if (others.isEmpty()) {
            spec.commandLine().usage(spec.commandLine().getErr());
        } else {
            String command = "bundle " + others.getFirst();
            Cli.complain(
                    spec,
                    "'" + command
                            + "': this program has bundle cleanup-nodes only; the program ip-masq-fleet has the other"
                            + " commands of bundle (in a checkout: ./dev fleet " + command + ")");
        }
        return ExitCode.USAGE;
    }
}
