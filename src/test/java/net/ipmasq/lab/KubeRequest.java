package net.ipmasq.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One request as the API server's audit log has it.
 *
 * @param agent the User-Agent header
 * @param user {@code admin}, or {@code system:serviceaccount:NAMESPACE:NAME}
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create} and so on
 * @param resource with its subresource, such as {@code serviceaccounts/token}; empty for paths such as /healthz
 * @param name of the object; empty where the request names none
 * @param code the HTTP status
 * @param received when it came in
 * @param answered when it was answered, for a watch when it began
 */
public record KubeRequest(
        String agent,
        String user,
        String verb,
        String resource,
        String name,
        int code,
        Instant received,
        Instant answered) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The requests in a log that may still be written to. */
    static List<KubeRequest> log(String text) {
        Set<String> known = new HashSet<>();
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        return whole.lines()
                .map(KubeRequest::json)
                // a watch is there twice, as begun and as ended
                .filter(event -> known.add(event.path("auditID").asText()))
                .map(KubeRequest::of)
                .toList();
    }

    private static KubeRequest of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        String sub = object.path("subresource").asText();
        return new KubeRequest(
                event.path("userAgent").asText(),
                event.at("/user/username").asText(),
                event.path("verb").asText(),
                object.path("resource").asText() + (sub.isEmpty() ? "" : "/" + sub),
                object.path("name").asText(),
                event.at("/responseStatus/code").asInt(),
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                Instant.parse(event.path("stageTimestamp").asText()));
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(text, e);
        }
    }
}
