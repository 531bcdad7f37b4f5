package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.ipmasq.agent.Settings;
import net.ipmasq.json.JsonReader;

/**
 * Asks the agent of this node for its status. Whatever else listens on the port is trusted with nothing: its answer may
 * be no JSON, never end, or be larger than the memory of a command.
 */
final class RunningAgent {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long DEADLINE_MILLIS = 10_000;

    /** A status names each rule in some 150 bytes; this is room for 100,000 of them. */
    private static final int MOST_BYTES = 16 << 20;

    /** How an answer's reason begins where nothing listens, as opposed to something that hangs or is no agent. */
    static final String NOBODY = "no agent answers at ";

    private RunningAgent() {}

    sealed interface Answer {
        /** The document of an agent. */
        record Status(Map<String, Object> document) implements Answer {}

        /** No agent's answer, and why, as a whole sentence's first part. */
        record None(String why) implements Answer {}
    }

    static Answer ask(Settings settings) {
        String address = AgentAddress.of(settings).toString();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("status").start(() -> {
            try {
                answer.complete(request(address));
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            // one deadline for the whole, since a server that sends a byte now and then never meets a read timeout
            return answer.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new Answer.None(
                    "what listens at " + address + " has not answered within " + DEADLINE_MILLIS / 1_000 + " s");
        } catch (ExecutionException e) {
            return new Answer.None(NOBODY + address);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.None("interrupted while asking " + address);
        }
    }

    private static Answer request(String address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address + "/status").toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        Answer foreign = new Answer.None("what listens at " + address + " is not this agent");
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            return foreign;
        }
        try (InputStream body = connection.getInputStream()) {
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                return foreign;
            }
            Map<String, Object> document = JsonReader.object(new String(bytes, StandardCharsets.UTF_8));
            return isStatus(document) ? new Answer.Status(document) : foreign;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return foreign;
        }
    }

    private static boolean isStatus(Map<String, Object> document) {
        return document.get("version") instanceof String
                && document.get("inSync") instanceof Boolean
                && document.get("config") instanceof Map<?, ?>
                && document.get("families") instanceof Map<?, ?>;
    }
}
