package net.ipmasq.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;

/** The shape of nft's JSON (libnftables-json(5)): everything is an object with one member, whose name says the kind. */
final class NftJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private NftJson() {}

    /** An object's only member. */
    record Named(String name, JsonNode value) {}

    static JsonNode read(String json) {
        try {
            JsonNode list = MAPPER.readTree(json).path("nftables");
            if (!list.isArray()) {
                throw new IllegalArgumentException("no listing of nft: " + json);
            }
            return list;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no listing of nft: " + json, e);
        }
    }

    static Named named(JsonNode node) {
        if (!node.isObject() || node.size() != 1) {
            throw notUnderstood(node);
        }
        Map.Entry<String, JsonNode> only = node.properties().iterator().next();
        return new Named(only.getKey(), only.getValue());
    }

    static JsonNode need(JsonNode node, String member) {
        JsonNode value = node.get(member);
        if (value == null) {
            throw new IllegalArgumentException("no " + member + " in " + node);
        }
        return value;
    }

    static String text(JsonNode node, String member) {
        return need(node, member).asText();
    }

    /** Fails for an object with a member that is not known here: it may mean anything. */
    static void only(JsonNode node, Set<String> known) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is not understood in: " + node);
            }
        });
    }

    static IllegalArgumentException notUnderstood(JsonNode node) {
        return new IllegalArgumentException("not understood: " + node);
    }
}
