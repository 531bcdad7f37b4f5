package net.ipmasq.cli;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.observe.KernelDocument;
import net.ipmasq.observe.PodFindings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code status}: the running agent's status, else what the kernel shows. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Shows the running agent's status over loopback; without one, how the kernel differs from what configuration"
                        + " and profile ask for.",
        footer = {"", "Example: ip-masq-agent status -o json"})
final class StatusCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Cli cli;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settings();
        return switch (cli.ask(settings)) {
            case RunningAgent.Answer.Status(var document) -> show(document);
            case RunningAgent.Answer.None(String why) -> kernel(settings, why);
        };
    }

    private int show(Map<String, Object> document) {
        spec.commandLine().getOut().print(StatusPage.of(document, common.format));
        spec.commandLine().getOut().flush();
        return Boolean.TRUE.equals(document.get("inSync")) ? ExitCode.OK : ExitCode.DIFFERENCE;
    }

    private int kernel(Settings settings, String why) {
        NodeAccess node = cli.node();
        Assessment assessment = node.reconciler(settings, Sources.ofLook(settings), Clock.systemUTC())
                .assessAsked();
        Dataplane dataplane = node.dataplane(settings);
        Map<String, Object> document = new LinkedHashMap<>(KernelDocument.of(
                assessment,
                dataplane.observeCounters(
                        assessment.desired().chain(),
                        assessment.kernel().families().keySet()),
                PodFindings.network(Optional.empty(), node.files()),
                why));
        Output.print(
                spec.commandLine().getOut(),
                common.format,
                document,
                () -> (why.startsWith(RunningAgent.NOBODY) ? "NO AGENT RUNS HERE: " : "NO AGENT ANSWERS HERE: ") + why
                        + ". If one listens elsewhere, set IP_MASQ_HOST and IP_MASQ_PORT as it"
                        + " has them.\nThe kernel is compared with " + asked(assessment) + ".\n"
                        + StatusText.of(document));
        return code(settings, assessment);
    }

    private static String asked(Assessment assessment) {
        return switch (assessment.inForce().origin()) {
            case "config" -> "the configuration and profile " + assessment.profile();
            case "last-good" -> "the last good state that an agent has stored";
            default -> "profile " + assessment.profile();
        };
    }

    /** A configuration that is there and cannot be read, with nothing stored, leaves unknown what is asked for. */
    private static int code(Settings settings, Assessment assessment) {
        boolean ofFile = settings.configGiven() || !Sources.usesApi(settings);
        boolean unknown = assessment.outcome() instanceof ConfigOutcome.Unknown
                && assessment.inForce().origin().equals("profile");
        return ExitCode.of(
                assessment.failures(),
                assessment.outcome(),
                unknown && ofFile ? ExitCode.FAILURE : assessment.inSync() ? ExitCode.OK : ExitCode.DIFFERENCE);
    }
}
