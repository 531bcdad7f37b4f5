package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Assembly;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.FamilyPass;
import net.ipmasq.agent.Settings;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.observe.KernelDocument;
import net.ipmasq.text.JsonText;
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
    private static final int TIMEOUT_MILLIS = 5_000;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settings();
        Optional<Map<String, Object>> running = running(settings);
        return running.isPresent() ? show(running.get()) : kernel(settings);
    }

    private int show(Map<String, Object> document) {
        Output.print(spec.commandLine().getOut(), common.format, document, () -> StatusText.of(document));
        return Boolean.TRUE.equals(document.get("inSync")) ? ExitCode.OK : ExitCode.DIFFERENCE;
    }

    /** The document of the agent that listens at the address of the settings; empty if none does. */
    private static Optional<Map<String, Object>> running(Settings settings) {
        String host = settings.host().equals("0.0.0.0") || settings.host().equals("::") ? "127.0.0.1" : settings.host();
        try {
            String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            URL url = URI.create("http://" + bracketed + ":" + settings.port() + "/status")
                    .toURL();
            HttpURLConnection connection = (HttpURLConnection) url.openConnection(java.net.Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                return Optional.empty();
            }
            try (InputStream body = connection.getInputStream()) {
                String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                return Optional.of(JsonText.readObject(text)).filter(document -> document.containsKey("families"));
            }
        } catch (IOException e) {
            // nobody listens, or not an agent: the kernel itself answers then
            return Optional.empty();
        }
    }

    private int kernel(Settings settings) {
        Assembly.Node node = Parts.node();
        Assessment assessment = Assembly.reconciler(settings, node, Clock.systemUTC(), Parts.processStart())
                .assess();
        Dataplane dataplane = Assembly.dataplane(settings, node);
        Map<String, Object> document = new LinkedHashMap<>(KernelDocument.of(
                assessment,
                dataplane.observeCounters(
                        assessment.desired().chain(),
                        assessment.kernel().families().keySet())));
        Output.print(
                spec.commandLine().getOut(),
                common.format,
                document,
                () -> "no agent answers at " + settings.host() + ":" + settings.port()
                        + "; this is what the kernel shows\n" + StatusText.of(document));
        List<Failure> failures = assessment.results().values().stream()
                .map(FamilyPass::failure)
                .flatMap(Optional::stream)
                .toList();
        return ExitCode.of(failures, assessment.outcome(), assessment.inSync() ? ExitCode.OK : ExitCode.DIFFERENCE);
    }
}
