package net.ipmasq.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.ipmasq.lab.TraceRule.Action;
import net.ipmasq.net.IpFamily;

/** Reads one rule of nft's JSON listing of a table. */
final class TracedNftRule {
    private static final Set<String> MEMBERS = Set.of("family", "table", "chain", "handle", "comment", "expr");

    /** Options of masquerading that do not decide whether the source address changes. */
    private static final Set<String> MASQUERADE = Set.of("flags", "port");

    /** nft prints the number where the machine has no /etc/protocols. */
    private static final Map<String, String> PROTOCOLS =
            Map.of("tcp", "tcp", "6", "tcp", "udp", "udp", "17", "udp", "sctp", "sctp", "132", "sctp");

    private final IpFamily family;
    private final Map<String, NftElements> sets;

    TracedNftRule(IpFamily family, Map<String, NftElements> sets) {
        this.family = family;
        this.sets = sets;
    }

    TraceRule parse(JsonNode rule) {
        NftJson.only(rule, MEMBERS);
        String chain = NftJson.text(rule, "chain");
        List<TraceRule.Condition> conditions = new ArrayList<>();
        Action action = Action.NOTHING;
        String target = "";
        for (JsonNode statement : NftJson.need(rule, "expr")) {
            if (action != Action.NOTHING) {
                throw new IllegalArgumentException("something behind the verdict of " + rule);
            }
            NftJson.Named named = NftJson.named(statement);
            switch (named.name()) {
                case "match" -> conditions.add(condition(named.value()));
                case "counter" -> {}
                case "accept" -> action = Action.ACCEPT;
                case "return" -> action = Action.RETURN;
                case "masquerade" -> {
                    NftJson.only(named.value(), MASQUERADE);
                    action = Action.MASQUERADE;
                }
                case "jump", "goto" -> {
                    action = named.name().equals("jump") ? Action.JUMP : Action.GOTO;
                    target = NftJson.text(named.value(), "target");
                }
                default -> throw NftJson.notUnderstood(statement);
            }
        }
        return new TraceRule(chain, conditions, action, target);
    }

    private TraceRule.Condition condition(JsonNode match) {
        NftJson.Named left = NftJson.named(NftJson.need(match, "left"));
        JsonNode right = NftJson.need(match, "right");
        if (left.name().equals("numgen")) {
            return chance(match, left.value());
        }
        boolean not = switch (NftJson.text(match, "op")) {
            case "==" -> false;
            case "!=" -> true;
            default -> throw NftJson.notUnderstood(match);
        };
        if (isDestination(left)) {
            NftElements addresses = addresses(right);
            return packet -> TraceRule.of(addresses.contains(packet.destination()) != not);
        }
        if (left.name().equals("meta") && left.value().path("key").asText().equals("l4proto")) {
            Set<String> protocols = protocols(right);
            return packet -> TraceRule.of(protocols.contains(packet.protocol().key()) != not);
        }
        if (isTypeOfDestination(left) && right.asText().equals("local")) {
            return packet -> TraceRule.of(packet.local() != not);
        }
        throw NftJson.notUnderstood(match);
    }

    private static TraceRule.Condition chance(JsonNode match, JsonNode numgen) {
        if (!NftJson.text(match, "op").equals("<")
                || !NftJson.text(numgen, "mode").equals("random")) {
            throw NftJson.notUnderstood(match);
        }
        return TraceRule.Condition.CHANCE;
    }

    private boolean isDestination(NftJson.Named left) {
        return left.name().equals("payload")
                && left.value().path("protocol").asText().equals(family == IpFamily.IPV4 ? "ip" : "ip6")
                && left.value().path("field").asText().equals("daddr");
    }

    /** Looks at the destination only: with an interface among the flags the rule would depend on more than that. */
    private static boolean isTypeOfDestination(NftJson.Named left) {
        JsonNode flags = left.value().path("flags");
        JsonNode flag = flags.isArray() && flags.size() == 1 ? flags.get(0) : flags;
        return left.name().equals("fib")
                && left.value().path("result").asText().equals("type")
                && flag.asText().equals("daddr");
    }

    private NftElements addresses(JsonNode right) {
        if (right.isTextual() && right.asText().startsWith("@")) {
            NftElements set = sets.get(right.asText().substring(1));
            if (set == null) {
                throw new IllegalArgumentException("the set " + right.asText() + " is not declared");
            }
            return set;
        }
        JsonNode anonymous = right.path("set");
        return anonymous.isArray() ? NftElements.all(anonymous, family) : NftElements.one(right, family);
    }

    private static Set<String> protocols(JsonNode right) {
        JsonNode anonymous = right.path("set");
        List<String> names = new ArrayList<>();
        for (JsonNode one : anonymous.isArray() ? anonymous : List.of(right)) {
            String name = PROTOCOLS.get(one.asText());
            if (name == null) {
                throw NftJson.notUnderstood(right);
            }
            names.add(name);
        }
        return Set.copyOf(names);
    }
}
