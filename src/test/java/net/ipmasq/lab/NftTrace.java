package net.ipmasq.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.ipmasq.net.IpFamily;

/**
 * Walks what {@code nft -j list table} prints, from the base chains at the hook postrouting in the order of their
 * priorities, as the kernel would. An oracle for tests: it is written from libnftables-json(5) and shares no code with
 * the agent but addresses and prefixes.
 */
public final class NftTrace implements NatTrace {
    private static final Set<String> TABLE = Set.of("family", "name", "handle");
    private static final Set<String> CHAIN =
            Set.of("family", "table", "name", "handle", "type", "hook", "prio", "policy");
    private static final Set<String> SET =
            Set.of("family", "table", "name", "handle", "type", "flags", "auto-merge", "elem", "stmt", "comment");

    private final IpFamily family;
    private final List<String> bases;
    private final ChainWalk walk;

    private NftTrace(IpFamily family, List<String> bases, ChainWalk walk) {
        this.family = family;
        this.bases = bases;
        this.walk = walk;
    }

    /**
     * Reads the listing of one table.
     *
     * @throws IllegalArgumentException if it has anything that is not understood
     */
    public static NftTrace of(String json, IpFamily family) {
        Map<String, NftElements> sets = new HashMap<>();
        Map<String, List<TraceRule>> chains = new HashMap<>();
        Map<Integer, String> bases = new TreeMap<>();
        List<JsonNode> rules = new ArrayList<>();
        int tables = 0;
        for (JsonNode object : NftJson.read(json)) {
            NftJson.Named named = NftJson.named(object);
            JsonNode value = named.value();
            if (!named.name().equals("metainfo")
                    && !NftJson.text(value, "family").equals(family == IpFamily.IPV4 ? "ip" : "ip6")) {
                throw NftJson.notUnderstood(object);
            }
            switch (named.name()) {
                case "metainfo" -> {}
                case "table" -> {
                    // a flag could be "dormant", and then nothing of it holds
                    NftJson.only(value, TABLE);
                    tables++;
                }
                case "set" -> sets.put(NftJson.text(value, "name"), set(value, family));
                case "chain" -> {
                    chains.put(NftJson.text(value, "name"), new ArrayList<>());
                    base(value, bases);
                }
                case "rule" -> rules.add(value);
                default -> throw NftJson.notUnderstood(object);
            }
        }
        if (tables != 1) {
            throw new IllegalArgumentException("the listing of one table is wanted: " + json);
        }
        TracedNftRule parser = new TracedNftRule(family, sets);
        for (JsonNode one : rules) {
            TraceRule rule = parser.parse(one);
            chains.get(rule.chain()).add(rule);
        }
        return new NftTrace(family, List.copyOf(bases.values()), new ChainWalk(chains));
    }

    private static NftElements set(JsonNode set, IpFamily family) {
        NftJson.only(set, SET);
        JsonNode flags = set.path("flags");
        boolean plain = flags.isMissingNode() || flags.toString().matches("\\[?\"interval\"]?");
        if (!plain || !NftJson.text(set, "type").equals(family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr")) {
            throw NftJson.notUnderstood(set);
        }
        return NftElements.all(set.path("elem"), family);
    }

    private static void base(JsonNode chain, Map<Integer, String> bases) {
        NftJson.only(chain, CHAIN);
        if (!chain.has("hook")) {
            return;
        }
        boolean ours = NftJson.text(chain, "type").equals("nat")
                && NftJson.text(chain, "hook").equals("postrouting")
                && NftJson.text(chain, "policy").equals("accept");
        // of two with one priority the listing does not say which was there first, and that decides
        if (!ours || bases.put(NftJson.need(chain, "prio").intValue(), NftJson.text(chain, "name")) != null) {
            throw NftJson.notUnderstood(chain);
        }
    }

    @Override
    public Verdict verdict(Packet packet) {
        if (packet.destination().family() != family) {
            throw new IllegalArgumentException(packet + " does not come to a table of " + family.label());
        }
        return walk.verdict(bases, packet);
    }
}
