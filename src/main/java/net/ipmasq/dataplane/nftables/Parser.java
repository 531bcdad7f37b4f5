package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import org.jspecify.annotations.Nullable;

/** Reads what {@code nft -j list table} prints of our table. Pure. */
final class Parser {
    private final IpFamily family;
    private final String chain;
    private final LongFunction<String> texts;
    private final List<NftRule> rules = new ArrayList<>();
    private final Map<String, NftSet> sets = new HashMap<>();
    private final List<String> chains = new ArrayList<>();
    private boolean usableBase;
    private boolean unflagged = true;
    private boolean strangers;

    /** How reading a listing ended. */
    sealed interface Result {}

    record NotUnderstood(String why) implements Result {}

    record Understood(TableView table) implements Result {}

    private Parser(IpFamily family, String chain, LongFunction<String> texts) {
        this.family = family;
        this.chain = chain;
        this.texts = texts;
    }

    /**
     * Reads a listing.
     *
     * @param texts a rule's text by its handle, as the tool shows it; only asked for rules that are not as we write them
     */
    static Result parse(String listing, IpFamily family, String chain, LongFunction<String> texts) {
        try {
            List<?> objects = Json.list(Json.map(Json.parse(listing)).get("nftables"));
            if (objects.isEmpty()) {
                return new NotUnderstood("the listing holds no table");
            }
            Parser parser = new Parser(family, chain, texts);
            objects.forEach(object -> parser.object(Json.map(object)));
            return new Understood(parser.view());
        } catch (IOException e) {
            return new NotUnderstood("the listing is no JSON: " + e.getMessage());
        }
    }

    private void object(Map<String, @Nullable Object> object) {
        String kind = object.isEmpty() ? "" : object.keySet().iterator().next();
        Map<String, @Nullable Object> value = Json.map(object.get(kind));
        String name = Json.text(value.get("name"));
        switch (kind) {
            case "metainfo" -> {}
            // nft 1.0.6 names the flags wrong; ours has none
            case "table" -> unflagged = !value.containsKey("flags");
            case "rule" -> rules.add(NftRule.of(value));
            case "set" -> {
                if (name.equals(Names.MASQUERADE_SET) || name.equals(Names.KEEP_SET)) {
                    sets.put(name, NftSet.of(value, family));
                } else {
                    strangers = true;
                }
            }
            case "chain" -> {
                chains.add(name);
                if (name.equals(Names.BASE)) {
                    usableBase = isOurHook(value);
                } else {
                    strangers |= value.containsKey("hook");
                }
            }
            default -> strangers = true;
        }
    }

    private static boolean isOurHook(Map<String, @Nullable Object> base) {
        return "nat".equals(base.get("type"))
                && "postrouting".equals(base.get("hook"))
                && Json.number(base.get("prio"), 0) == Names.PRIORITY
                && "accept".equals(base.get("policy"));
    }

    private TableView view() {
        usableBase &= unflagged;
        List<Jump> jumps = new ArrayList<>();
        List<Shadow> shadows = new ArrayList<>();
        List<Long> ours = new ArrayList<>();
        OptionalLong canonical = OptionalLong.empty();
        List<NftRule> base = of(Names.BASE);
        for (int i = 0; i < base.size(); i++) {
            NftRule rule = base.get(i);
            if (rule.target().equals(chain)) {
                Jump jump = jump(rule, i + 1);
                jumps.add(jump);
                if (jump.kind() == Jump.Kind.CANONICAL && canonical.isEmpty()) {
                    canonical = OptionalLong.of(rule.handle());
                } else if (jump.kind() != Jump.Kind.FOREIGN) {
                    ours.add(rule.handle());
                }
            }
        }
        for (int i = 0; i < base.size(); i++) {
            shadow(base.get(i), i + 1, jumps).ifPresent(shadows::add);
        }
        strangers |= rules.stream().anyMatch(this::isStranger)
                || chains.stream().anyMatch(name -> !isKnown(name) && of(name).isEmpty());
        boolean otherOfOurs = rules.stream().anyMatch(rule -> !isKnown(rule.chain()) || isJumpElsewhere(rule));
        List<String> references = rules.stream()
                .filter(rule -> rule.target().equals(chain) && !rule.chain().equals(Names.BASE))
                .map(this::text)
                .toList();
        ObservedChain observed = new ObservedChain(
                chain,
                chains.contains(chain),
                new ChainLines(family, sets, texts).of(of(chain)),
                jumps,
                references,
                true);
        return new TableView(
                observed, canonical, ours, unflagged, usableBase, strangers || otherOfOurs, strangers, shadows);
    }

    private List<NftRule> of(String name) {
        return rules.stream().filter(rule -> rule.chain().equals(name)).toList();
    }

    private boolean isKnown(String name) {
        return name.equals(chain) || name.equals(Names.BASE);
    }

    private boolean isJumpElsewhere(NftRule rule) {
        return rule.chain().equals(Names.BASE) && !rule.target().equals(chain);
    }

    /** Somebody else's, which a new table would lose; whatever stands in our chain is ours to replace. */
    private boolean isStranger(NftRule rule) {
        if (rule.chain().equals(chain)) {
            return false;
        }
        boolean ownWay = rule.chain().equals(Names.BASE) && rule.target().equals(chain) && isOwnJump(rule);
        return !rule.isOurs() && !ownWay;
    }

    private static boolean isOwnJump(NftRule rule) {
        return rule.understood() && (rule.matches().isEmpty() || rule.isForNonLocal());
    }

    private Jump jump(NftRule rule, int position) {
        if (!isOwnJump(rule)) {
            return new Jump(Jump.Kind.FOREIGN, position, text(rule));
        }
        boolean canonical = usableBase
                && rule.isForNonLocal()
                && rule.verdict().equals("jump")
                && Names.isJump(rule.comment(), chain);
        String text = canonical
                ? "fib daddr type != local jump " + chain + " comment \"" + rule.comment() + "\""
                : text(rule) + (usableBase ? "" : " (in a chain that is not hooked to nat postrouting as ours is)");
        return new Jump(canonical ? Jump.Kind.CANONICAL : Jump.Kind.VARIANT, position, text);
    }

    /** A rule of somebody else in our own base chain that decides before our jump or after it. */
    private Optional<Shadow> shadow(NftRule rule, int position, List<Jump> jumps) {
        int jumpAt = jumps.stream()
                .filter(jump -> jump.kind() != Jump.Kind.FOREIGN)
                .mapToInt(Jump::position)
                .min()
                .orElse(Integer.MAX_VALUE);
        boolean before = position < jumpAt;
        boolean foreignJump =
                jumps.stream().anyMatch(jump -> jump.position() == position && jump.kind() == Jump.Kind.FOREIGN);
        boolean rewrites = rule.verdict().equals("masquerade") || rule.verdict().equals("snat");
        boolean ends = rule.verdict().equals("accept") || rule.verdict().equals("return");
        if (!foreignJump && !rewrites && !(before && ends)) {
            return Optional.empty();
        }
        boolean narrowed = foreignJump || !rule.matches().isEmpty() || !rule.understood();
        return Optional.of(new Shadow(narrowed, before, position, text(rule)));
    }

    private String text(NftRule rule) {
        return texts.apply(rule.handle());
    }
}
