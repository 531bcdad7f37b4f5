package net.ipmasq.dataplane.nftables;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import net.ipmasq.json.Json;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.PortShare;
import net.ipmasq.rules.Rule.Transport;
import org.jspecify.annotations.Nullable;

/**
 * One rule of the tool's listing.
 *
 * @param matches conditions, each as the tool's JSON has it
 * @param verdict what the rule does: the name of its last statement, empty if there is none
 * @param argument of the verdict: the chain of a jump, the options of a masquerade
 * @param counters empty if the rule does not count
 * @param understood whether there is nothing else in it
 */
record NftRule(
        String chain,
        long handle,
        String comment,
        List<Map<String, @Nullable Object>> matches,
        String verdict,
        Map<String, @Nullable Object> argument,
        Optional<Counters> counters,
        boolean understood) {

    /** What one of our rules means: a rule, or one rule for each entry of a set. */
    sealed interface Meaning {}

    record Single(Rule rule) implements Meaning {}

    record EachOf(String set, boolean masquerade, boolean randomFully) implements Meaning {
        Rule rule(Cidr cidr) {
            return masquerade ? new Rule.MasqueradeTo(cidr, randomFully) : new Rule.Exempt(cidr);
        }
    }

    static NftRule of(Map<String, @Nullable Object> rule) {
        List<Map<String, @Nullable Object>> matches = new ArrayList<>();
        String verdict = "";
        Map<String, @Nullable Object> argument = Map.of();
        Optional<Counters> counters = Optional.empty();
        boolean understood = true;
        for (Object statement : Json.list(rule.get("expr"))) {
            Map<String, @Nullable Object> one = Json.map(statement);
            String name = one.isEmpty() ? "" : one.keySet().iterator().next();
            Map<String, @Nullable Object> value = Json.map(one.get(name));
            switch (name) {
                case "match" -> matches.add(value);
                case "counter" -> counters = Optional.of(counters(value));
                default -> {
                    understood &= verdict.isEmpty();
                    verdict = name;
                    argument = value;
                }
            }
        }
        return new NftRule(
                Json.text(rule.get("chain")),
                Json.number(rule.get("handle"), -1),
                Json.text(rule.get("comment")),
                matches,
                verdict,
                argument,
                counters,
                understood);
    }

    /** Zero when the listing was asked to leave them out. */
    static Counters counters(Map<String, @Nullable Object> value) {
        return new Counters(Json.number(value.get("packets"), 0), Json.number(value.get("bytes"), 0));
    }

    boolean isOurs() {
        return comment.startsWith(NftNames.OWN);
    }

    /** The chain that this rule leads to, or empty. */
    String target() {
        return verdict.equals("jump") || verdict.equals("goto") ? Json.text(argument.get("target")) : "";
    }

    /** Whether the only condition is that the destination is not one of the node's addresses. */
    boolean isForNonLocal() {
        Map<String, @Nullable Object> fib = matches.size() == 1 ? left(matches.getFirst(), "!=", "fib") : Map.of();
        return understood
                && "type".equals(fib.get("result"))
                && Json.isOnly(fib.get("flags"), "daddr")
                && "local".equals(matches.getFirst().get("right"));
    }

    private static Map<String, @Nullable Object> left(
            Map<String, @Nullable Object> match, String operator, String kind) {
        return operator.equals(match.get("op"))
                ? Json.map(Json.map(match.get("left")).get(kind))
                : Map.of();
    }

    /** Empty for a rule that we never write, whatever its comment. */
    Optional<Meaning> meaning(IpFamily family) {
        if (!understood) {
            return Optional.empty();
        }
        return switch (verdict) {
            case "return" -> argument.isEmpty() ? toDestination(family, false, false) : Optional.empty();
            case "masquerade" -> masquerade(family);
            default -> Optional.empty();
        };
    }

    private Optional<Meaning> masquerade(IpFamily family) {
        boolean randomFully = argument.containsKey("flags");
        if (randomFully && !Json.isOnly(argument.get("flags"), "fully-random")) {
            return Optional.empty();
        }
        if (argument.containsKey("port")) {
            return ports(randomFully);
        }
        return matches.isEmpty()
                ? Optional.of(new Single(new MasqueradeRest(Optional.empty(), randomFully)))
                : toDestination(family, true, randomFully);
    }

    private Optional<Meaning> toDestination(IpFamily family, boolean masquerade, boolean randomFully) {
        Map<String, @Nullable Object> payload =
                matches.size() == 1 ? left(matches.getFirst(), "==", "payload") : Map.of();
        if (!NftNames.family(family).equals(payload.get("protocol")) || !"daddr".equals(payload.get("field"))) {
            return Optional.empty();
        }
        Object right = matches.getFirst().get("right");
        if (right instanceof String name && name.startsWith("@")) {
            return Optional.of(new EachOf(name.substring(1), masquerade, randomFully));
        }
        Rule.LinkLocal linkLocal = new Rule.LinkLocal(family);
        boolean saysLinkLocal = !masquerade && comment.equals(NftNames.comment(linkLocal, family));
        EachOf one = new EachOf("", masquerade, randomFully);
        return cidr(right, family)
                .map(cidr -> new Single(saysLinkLocal && cidr.equals(linkLocal.cidr()) ? linkLocal : one.rule(cidr)));
    }

    /** A prefix or a single address, as the tool shows it. */
    static Optional<Cidr> cidr(@Nullable Object value, IpFamily family) {
        Map<String, @Nullable Object> prefix = Json.map(Json.map(value).get("prefix"));
        String text = value instanceof String address
                ? address + "/" + family.bits()
                : Json.text(prefix.get("addr")) + "/" + Json.number(prefix.get("len"), -1);
        return CidrSyntax.parse(text) instanceof CidrSyntax.Good(Cidr cidr) && cidr.family() == family
                ? Optional.of(cidr)
                : Optional.empty();
    }

    private Optional<Meaning> ports(boolean randomFully) {
        Optional<PortRange> range = range(argument.get("port"));
        Optional<Transport> transport = matches.isEmpty() ? Optional.empty() : transport(matches.getFirst());
        if (range.isEmpty() || transport.isEmpty() || matches.size() > 2) {
            return Optional.empty();
        }
        OptionalInt share = OptionalInt.empty();
        if (matches.size() == 2) {
            share = share(matches.getLast());
            if (share.isEmpty()) {
                return Optional.empty();
            }
        }
        PortShare ports = new PortShare(transport.get(), share, range.get());
        return Optional.of(new Single(new MasqueradeRest(Optional.of(ports), randomFully)));
    }

    private static Optional<Transport> transport(Map<String, @Nullable Object> match) {
        return "l4proto".equals(left(match, "==", "meta").get("key"))
                ? Transport.of(Json.text(match.get("right")))
                : Optional.empty();
    }

    private static OptionalInt share(Map<String, @Nullable Object> match) {
        Map<String, @Nullable Object> numgen = left(match, "<", "numgen");
        // nft 1.0.6 prints 2³¹ with a sign
        boolean ours = "random".equals(numgen.get("mode"))
                && Math.abs(Json.number(numgen.get("mod"), 0)) == 0x8000_0000L
                && Json.number(numgen.get("offset"), 0) == 0;
        long units = Json.number(match.get("right"), -1);
        return ours && units >= 0 && units <= Integer.MAX_VALUE ? OptionalInt.of((int) units) : OptionalInt.empty();
    }

    private static Optional<PortRange> range(@Nullable Object port) {
        List<?> ends = port instanceof Long
                ? List.of(port, port)
                : Json.list(Json.map(port).get("range"));
        if (ends.size() != 2
                || !(ends.get(0) instanceof Long first)
                || !(ends.get(1) instanceof Long last)
                || first < 1
                || last < first
                || last > 65_535) {
            return Optional.empty();
        }
        return Optional.of(new PortRange(first.intValue(), last.intValue()));
    }
}
