package net.ipmasq.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Helm's own engine, in a process whose kubeconfig the test names. In this JVM it would use the developer's: helm-java
 * 0.0.15 answers {@code lookup} from the cluster of KUBECONFIG even when it only renders, where the helm command does not.
 */
public final class HelmProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    private HelmProcess(Process process) {
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts one.
     *
     * @param enter puts what makes the process be somewhere, such as a namespace, before its command line
     */
    public static HelmProcess start(Path kubeconfig, UnaryOperator<List<String>> enter) {
        List<String> argv = enter.apply(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HelmMain.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        // a proxy of the developer's must not stand between it and the test's server
        builder.environment().put("NO_PROXY", "127.0.0.1");
        try {
            HelmProcess helm = new HelmProcess(builder.start());
            Runtime.getRuntime().addShutdownHook(new Thread(helm::close));
            return helm;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Does it.
     *
     * @throws IllegalStateException with Helm's message
     */
    public synchronized String call(String command, Path chart, String namespace, String values) {
        try {
            requests.write(JSON.writeValueAsString(Map.of(
                    "command", command,
                    "chart", chart.toString(),
                    "name", "ip-masq-agent",
                    "namespace", namespace,
                    "values", values)));
            requests.write('\n');
            requests.flush();
            String line = answers.readLine();
            if (line == null) {
                throw new AssertionError("Helm's process has ended");
            }
            JsonNode answer = JSON.readTree(line);
            if (!answer.path("ok").asBoolean()) {
                throw new IllegalStateException(answer.path("text").asText());
            }
            return answer.path("text").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
