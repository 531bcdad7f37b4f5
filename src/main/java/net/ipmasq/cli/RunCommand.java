package net.ipmasq.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusDocument;
import net.ipmasq.observe.StatusLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code run}: the agent. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        modelTransformer = LogFlags.class,
        description = "Keeps the kernel at the configuration; with --once for one pass.",
        footer = {
            "",
            "Settings can also come from the environment: IP_MASQ_CONFIG, IP_MASQ_PROFILE, IP_MASQ_STATE_DIR,",
            "IP_MASQ_BACKEND, IP_MASQ_HOST, IP_MASQ_PORT, IP_MASQ_LOG_FORMAT (text or json), IP_MASQ_IPV6 (on, off or",
            "auto), IP_MASQ_CIDR_LIMIT, IP_MASQ_PATIENCE, and one for each flag above.",
            "Example: ip-masq-agent run --once --config my-config.yaml --profile cce"
        })
final class RunCommand implements Callable<Integer> {
    /** A held lock costs five seconds a try; three tries outlast a restore of a big table by somebody else. */
    private static final int TRIES_OF_ONCE = 3;

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Cli cli;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    GoFlags goFlags = new GoFlags();

    @Option(names = "--once", description = "One pass, then exit: no service, no port.")
    boolean once;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settings(goFlags.flags());
        return once ? once(settings) : cli.serve(settings, goFlags.logTarget());
    }

    private int once(Settings settings) {
        PrintWriter out = spec.commandLine().getOut();
        AgentLoop loop =
                new AgentLoop(cli.node().reconciler(settings, Sources.ofCommands(settings), SteadyClock.system()));
        // whatever the flags say: standard output has the result
        LineLog log = new LineLog(System.err, settings.jsonLogs(), Clock.systemUTC());
        loop.onPass(new StatusLog(log));
        AgentStatus status = loop.pass();
        for (int tried = 1; tried < TRIES_OF_ONCE && worthRetrying(status); tried++) {
            status = loop.pass();
        }
        AgentStatus last = status;
        Output.print(
                out,
                common.format,
                StatusDocument.of(last, new Observed(java.util.Map.of())),
                () -> last.inSync() ? "in sync\n" : "not in sync\n");
        return ExitCode.of(failures(last), last.config().outcome(), last.inSync() ? ExitCode.OK : ExitCode.FAILURE);
    }

    // the tool itself has already waited for the lock, so there is nothing to wait for in between
    private static boolean worthRetrying(AgentStatus status) {
        return failures(status).stream().anyMatch(failure -> !failure.code().isLasting());
    }

    private static List<Failure> failures(AgentStatus status) {
        return status.families().values().stream()
                .map(AgentStatus.FamilyStatus::failure)
                .flatMap(Optional::stream)
                .toList();
    }
}
