package net.ipmasq.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Helm's engine as a process: a JSON request per line on standard input, its JSON answer on standard output. */
final class HelmMain {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HelmMain() {}

    public static void main(String[] args) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
        }
    }

    private static Map<String, Object> answer(JsonNode request) throws IOException {
        Path values = Files.createTempFile("values", ".yaml");
        try {
            Files.writeString(values, request.path("values").asText());
            return Map.of("ok", true, "text", run(request, values));
        } catch (IllegalStateException e) {
            return Map.of("ok", false, "text", String.valueOf(e.getMessage()));
        } finally {
            Files.delete(values);
        }
    }

    private static String run(JsonNode request, Path values) {
        Helm helm = new Helm(Path.of(request.path("chart").asText()));
        String name = request.path("name").asText();
        String namespace = request.path("namespace").asText();
        return switch (request.path("command").asText()) {
            case "template" ->
                helm.template()
                        .withName(name)
                        .withNamespace(namespace)
                        .withValuesFile(values)
                        .call();
            case "lint" -> {
                LintResult result = helm.lint().strict().call();
                yield (result.isFailed() ? "failed " : "passed ") + result.getMessages();
            }
            case "install" ->
                helm.install()
                        .withName(name)
                        .withNamespace(namespace)
                        .withValuesFile(values)
                        .withKubeConfig(Path.of(System.getenv("KUBECONFIG")))
                        .call()
                        .getStatus();
            case "upgrade" ->
                helm.upgrade()
                        .withName(name)
                        .withNamespace(namespace)
                        .withValuesFile(values)
                        .withKubeConfig(Path.of(System.getenv("KUBECONFIG")))
                        .call()
                        .getStatus();
            case "uninstall" ->
                Helm.uninstall(name)
                        .withNamespace(namespace)
                        .withKubeConfig(Path.of(System.getenv("KUBECONFIG")))
                        .call();
            default -> throw new IllegalArgumentException(request.toString());
        };
    }
}
