package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.ipmasq.agent.Settings;
import net.ipmasq.json.JsonReader;
import net.ipmasq.text.Visible;

/**
 * Asks the agent of this node for its status. Another program may listen on the port: its answer may not be JSON, never
 * end, or be larger than the memory of a command.
 */
final class RunningAgent {
    static final int CONNECT_MILLIS = 5_000;
    private static final long DEADLINE_MILLIS = 10_000;

    /** A status has about 150 bytes for each rule; this is enough for 100,000 of them, and fits a command's memory. */
    static final int MOST_BYTES = 16 << 20;

    /** How the reason begins where nothing listens, as opposed to a listener that hangs or is not an agent. */
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
            return new Answer.None(why(address, Objects.requireNonNullElse(e.getCause(), e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.None("interrupted while asking " + address);
        }
    }

    /** Why nobody has answered, as the first part of a sentence. */
    static String why(String address, Throwable failure) {
        return switch (failure) {
            case ConnectException refused -> NOBODY + address;
            case SocketTimeoutException unconnected ->
                "no connection to " + address + " was made within " + CONNECT_MILLIS / 1_000 + " s";
            case UnknownHostException unknown -> "no address is known for the host of " + address;
            default -> "asking " + address + " failed: " + Visible.line(String.valueOf(failure.getMessage()));
        };
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
                return new Answer.None(
                        "what listens at " + address + " answered with more than " + (MOST_BYTES >> 20) + " MiB");
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
