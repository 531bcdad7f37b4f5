package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.ShadowList;
import net.ipmasq.json.Json;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.ObservedChain.Jump;
import org.jspecify.annotations.Nullable;

/** Reads what {@code nft -j list table} prints of our table. Pure. */
final class NftParser implements Listing.Receiver {
    /** More elements than any configuration can ask for; beyond them they are only counted. */
    private static final int MOST_ELEMENTS = 100_000;

    /** Rules in our chain, or jumps to it: we write a handful. */
    private static final int MOST_RULES = 1_000;

    private final IpFamily family;
    private final String chain;
    private final LongFunction<String> texts;
    private final List<NftRule> own = new ArrayList<>();
    private final List<Place> jumps = new ArrayList<>();
    private final List<Place> shadows = new ArrayList<>();
    private final List<Long> references = new ArrayList<>();
    private final ShadowList told = new ShadowList();
    private final Map<String, NftSet> sets = new HashMap<>();
    private final Set<String> chains = new HashSet<>();
    private final Set<String> filled = new HashSet<>();
    private List<NftSet.Entry> elements = new ArrayList<>();
    private int position;
    private int ownRules;
    private int objects;
    private boolean jumpSeen;
    private boolean usableBase;
    private boolean unflagged = true;
    private boolean strangers;
    private boolean otherOfOurs;

    private record Place(NftRule rule, int position) {}

    sealed interface Result {}

    record NotUnderstood(String why) implements Result {}

    record Understood(TableView table) implements Result {}

    private NftParser(IpFamily family, String chain, LongFunction<String> texts) {
        this.family = family;
        this.chain = chain;
        this.texts = texts;
    }

    /**
     * Reads a listing to its end.
     *
     * @param texts a rule's text by its handle, as the tool shows it; only asked for rules that are not as we write them
     */
    static Result parse(Reader listing, IpFamily family, String chain, LongFunction<String> texts) {
        try {
            NftParser parser = new NftParser(family, chain, texts);
            Listing.read(listing, parser);
            return parser.objects == 0
                    ? new NotUnderstood("the listing holds no table")
                    : new Understood(parser.view());
        } catch (IOException e) {
            return new NotUnderstood("the listing is no JSON: " + e.getMessage());
        }
    }

    @Override
    public void element(@Nullable Object element) {
        elements.add(elements.size() < MOST_ELEMENTS ? NftSet.entry(element, family) : NftSet.COUNTED);
    }

    @Override
    public void object(String kind, Map<String, @Nullable Object> value) {
        objects++;
        String name = Json.text(value.get("name"));
        switch (kind) {
            case "metainfo" -> {}
            // nft 1.0.6 names the flags wrong; ours has none
            case "table" -> unflagged = !value.containsKey("flags");
            case "rule" -> rule(NftRule.of(value));
            case "set" -> {
                if (name.equals(NftNames.MASQUERADE_SET) || name.equals(NftNames.KEEP_SET)) {
                    sets.put(name, NftSet.of(value, elements, family));
                } else {
                    strangers = true;
                }
                elements = new ArrayList<>();
            }
            case "chain" -> {
                chains.add(name);
                if (name.equals(NftNames.BASE)) {
                    usableBase = isOurHook(value);
                } else {
                    strangers |= value.containsKey("hook");
                }
            }
            default -> strangers = true;
        }
    }

    private void rule(NftRule rule) {
        strangers |= isStranger(rule);
        otherOfOurs |= !isKnown(rule.chain()) || isJumpElsewhere(rule);
        if (rule.chain().equals(chain)) {
            ownRules++;
            if (own.size() < MOST_RULES) {
                own.add(rule);
            }
        } else if (!rule.chain().equals(NftNames.BASE)) {
            filled.add(rule.chain());
        } else {
            base(rule);
        }
        boolean refers = rule.target().equals(chain) && !rule.chain().equals(NftNames.BASE);
        if (refers && references.size() < MOST_RULES) {
            references.add(rule.handle());
        }
    }

    private void base(NftRule rule) {
        position++;
        boolean leads = rule.target().equals(chain);
        if (leads && jumps.size() < MOST_RULES) {
            jumps.add(new Place(rule, position));
        }
        boolean foreign = leads && !isOwnJump(rule);
        if (foreign || isShadow(rule)) {
            if (shadows.size() < ShadowList.MOST) {
                // texts are asked for when the listing has been read
                shadows.add(new Place(rule, jumpSeen ? -position : position));
            } else {
                told.add(isNarrowed(rule), !jumpSeen, position, () -> "");
            }
        }
        jumpSeen |= leads && !foreign;
    }

    private static boolean isOurHook(Map<String, @Nullable Object> base) {
        return "nat".equals(base.get("type"))
                && "postrouting".equals(base.get("hook"))
                && Json.number(base.get("prio"), 0) == NftNames.PRIORITY
                && "accept".equals(base.get("policy"));
    }

    private TableView view() {
        usableBase &= unflagged;
        List<Jump> ways = new ArrayList<>();
        List<Long> ours = new ArrayList<>();
        OptionalLong canonical = OptionalLong.empty();
        for (Place place : jumps) {
            Jump jump = jump(place.rule(), place.position());
            ways.add(jump);
            if (jump.kind() == Jump.Kind.CANONICAL && canonical.isEmpty()) {
                canonical = OptionalLong.of(place.rule().handle());
            } else if (jump.kind() != Jump.Kind.FOREIGN) {
                ours.add(place.rule().handle());
            }
        }
        strangers |= chains.stream().anyMatch(name -> !isKnown(name) && !filled.contains(name));
        ObservedChain observed = new ObservedChain(
                chain,
                chains.contains(chain),
                lines(),
                ways,
                references.stream().map(texts::apply).toList(),
                true);
        return new TableView(
                observed, canonical, ours, unflagged, usableBase, strangers || otherOfOurs, strangers, shadows());
    }

    private List<ObservedChain.Line> lines() {
        List<ObservedChain.Line> lines = new ChainLines(family, sets, texts).of(own);
        if (ownRules > own.size()) {
            String more = "(and " + (ownRules - own.size()) + " more rules)";
            lines.add(new ObservedChain.Line(Optional.empty(), Optional.empty(), more, Counters.ZERO));
        }
        return lines;
    }

    private List<Shadow> shadows() {
        ShadowList all = new ShadowList();
        for (Place place : shadows) {
            boolean before = place.position() > 0;
            all.add(isNarrowed(place.rule()), before, Math.abs(place.position()), () -> text(place.rule()));
        }
        all.addAll(told.list());
        return all.list();
    }

    private boolean isKnown(String name) {
        return name.equals(chain) || name.equals(NftNames.BASE);
    }

    private boolean isJumpElsewhere(NftRule rule) {
        return rule.chain().equals(NftNames.BASE) && !rule.target().equals(chain);
    }

    /** A rule of others, which a new table would lose; every rule in our chain is ours to replace. */
    private boolean isStranger(NftRule rule) {
        if (rule.chain().equals(chain)) {
            return false;
        }
        boolean ownWay = rule.chain().equals(NftNames.BASE) && rule.target().equals(chain) && isOwnJump(rule);
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
                && NftNames.isJump(rule.comment(), chain);
        String text = canonical
                ? "fib daddr type != local jump " + chain + " comment \"" + rule.comment() + "\""
                : text(rule) + (usableBase ? "" : " (in a chain that is not hooked to nat postrouting as ours is)");
        return new Jump(canonical ? Jump.Kind.CANONICAL : Jump.Kind.VARIANT, position, text);
    }

    /** Whether a rule of others in our base chain decides before our jump or after it. */
    private boolean isShadow(NftRule rule) {
        boolean rewrites = rule.verdict().equals("masquerade") || rule.verdict().equals("snat");
        boolean ends = rule.verdict().equals("accept") || rule.verdict().equals("return");
        return rewrites || !jumpSeen && ends;
    }

    private boolean isNarrowed(NftRule rule) {
        return rule.target().equals(chain) || !rule.matches().isEmpty() || !rule.understood();
    }

    private String text(NftRule rule) {
        return texts.apply(rule.handle());
    }
}
