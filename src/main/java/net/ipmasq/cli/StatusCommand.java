package net.ipmasq.cli;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Assembly;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.Settings;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.observe.KernelDocument;
import net.ipmasq.observe.PodFindings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code status}: the running agent's status, else what the kernel shows. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows the running agent's status over loopback; without one, what the kernel shows.",
        footer = {"", "Example: ip-masq-agent status -o json"})
final class StatusCommand implements Callable<Integer> {
    @Mixin
    CommonOptions common = new CommonOptions();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settings();
        return switch (RunningAgent.ask(settings)) {
            case RunningAgent.Answer.Status(var document) -> show(document);
            case RunningAgent.Answer.None(String why) -> kernel(settings, why);
        };
    }

    private int show(Map<String, Object> document) {
        Output.print(spec.commandLine().getOut(), common.format, document, () -> StatusText.of(document));
        return Boolean.TRUE.equals(document.get("inSync")) ? ExitCode.OK : ExitCode.DIFFERENCE;
    }

    private int kernel(Settings settings, String why) {
        Assembly.Node node = Parts.node();
        Assessment assessment = Assembly.reconciler(settings, node, Clock.systemUTC(), Parts.processStart())
                .assess();
        Dataplane dataplane = Assembly.dataplane(settings, node);
        Map<String, Object> document = new LinkedHashMap<>(KernelDocument.of(
                assessment,
                dataplane.observeCounters(
                        assessment.desired().chain(),
                        assessment.kernel().families().keySet()),
                PodFindings.network(Optional.empty(), node.files())));
        Output.print(
                spec.commandLine().getOut(),
                common.format,
                document,
                () -> why + "; this is what the kernel shows\n" + StatusText.of(document));
        return ExitCode.of(assessment);
    }
}
