package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import net.ipmasq.dataplane.BaseRules;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.JumpGraph;
import net.ipmasq.dataplane.ShadowList;
import net.ipmasq.dataplane.nftables.RuleTexts.RuleText;
import net.ipmasq.json.Json;
import net.ipmasq.net.IpFamily;
import org.jspecify.annotations.Nullable;

/**
 * Finds rules of others that give a packet its source address: every base chain of type nat at postrouting sees the
 * packet in order of priority until one of them has decided. ACCEPT and RETURN end one chain only.
 */
final class ForeignChains {
    private static final int CHAINS_ONE_BY_ONE = 6;

    private final NftTool tool;

    ForeignChains(NftTool tool) {
        this.tool = tool;
    }

    /** A base chain at nat postrouting that is not ours; {@code family} is nft's: ip, ip6 or inet. */
    record Hook(String family, String table, String chain, long priority) {}

    /** All of them, or why they cannot be read. */
    record Hooks(List<Hook> all, Optional<Failure> failure) {}

    /** Asks the tool once for both families. */
    Hooks hooks() {
        Streamed<Hooks> read = tool.listJson(false, ForeignChains::hooks, "chains");
        Optional<Failure> failure = NftTool.failure(read.outcome());
        return failure.isPresent()
                ? new Hooks(List.of(), failure)
                : read.value().orElseThrow();
    }

    private static Hooks hooks(Reader listing) {
        List<Hook> hooks = new ArrayList<>();
        try {
            Listing.read(listing, new Listing.Receiver() {
                @Override
                public void element(@Nullable Object element) {}

                @Override
                public void object(String kind, Map<String, @Nullable Object> object) {
                    if (kind.equals("chain")) {
                        hook(object).ifPresent(hooks::add);
                    }
                }
            });
            return new Hooks(hooks, Optional.empty());
        } catch (IOException e) {
            return new Hooks(
                    List.of(),
                    Optional.of(new Failure(
                            FailureCode.UNREADABLE,
                            "nft's list of chains is no JSON: " + e.getMessage(),
                            "look at 'nft -j list chains'")));
        }
    }

    private static Optional<Hook> hook(Map<String, @Nullable Object> chain) {
        boolean nat = "nat".equals(chain.get("type")) && "postrouting".equals(chain.get("hook"));
        Hook hook = new Hook(
                Json.text(chain.get("family")),
                Json.text(chain.get("table")),
                Json.text(chain.get("name")),
                Json.number(chain.get("prio"), 0));
        return nat && !hook.table().equals(NftNames.TABLE) ? Optional.of(hook) : Optional.empty();
    }

    /**
     * Adds the rules in these chains that decide about packets of {@code family}.
     *
     * @param ours our chain, which the iptables backend may have left in its table
     */
    Optional<Failure> shadows(Hooks hooks, IpFamily family, String ours, ShadowList found) {
        for (Hook hook : hooks.all()) {
            if (hook.family().equals("inet") || hook.family().equals(NftNames.family(family))) {
                Optional<Failure> failure = new Walk(hook, family, ours).shadows(found);
                if (failure.isPresent()) {
                    return failure;
                }
            }
        }
        return Optional.empty();
    }

    /** Reads one base chain and what it leads to; a chain is read once, and where there are many, the whole table. */
    private final class Walk {
        private final Hook hook;
        private final IpFamily family;
        private final String ours;
        private final JumpGraph graph = new JumpGraph();
        private final BaseRules base;
        private final Set<String> read = new HashSet<>();
        private final Deque<String> unread = new ArrayDeque<>();
        private Optional<Failure> failure = Optional.empty();
        private int position;

        Walk(Hook hook, IpFamily family, String ours) {
            this.hook = hook;
            this.family = family;
            this.ours = ours;
            this.base = new BaseRules(hook.chain(), graph);
        }

        Optional<Failure> shadows(ShadowList found) {
            read.add(hook.chain());
            list(this::base, "chain", hook.family(), hook.table(), hook.chain());
            while (!unread.isEmpty()) {
                String chain = unread.removeFirst();
                if (read.size() < CHAINS_ONE_BY_ONE) {
                    if (read.add(chain)) {
                        list(this::other, "chain", hook.family(), hook.table(), chain);
                    }
                } else if (!read.contains(chain)) {
                    Set<String> known = Set.copyOf(read);
                    list(rule -> ofTable(rule, known), "table", hook.family(), hook.table());
                    break;
                }
            }
            found.addAll(base.shadows(false));
            return failure;
        }

        private void list(Consumer<RuleText> rules, String... what) {
            Streamed<Boolean> listed = tool.listText(
                    listing -> {
                        RuleTexts.read(listing, flags -> {}, rules);
                        return true;
                    },
                    what);
            // what is absent has gone since it was listed
            failure = failure.or(
                    () -> NftTool.isAbsent(listed.outcome()) ? Optional.empty() : NftTool.failure(listed.outcome()));
        }

        private void base(RuleText rule) {
            position++;
            int at = position;
            boolean before = hook.priority() <= NftNames.PRIORITY;
            ways(
                    rule,
                    (target, narrowed) -> base.add(
                            at,
                            target,
                            narrowed,
                            before,
                            () -> hook.family() + " " + hook.table() + " " + hook.chain() + ": " + rule.text()));
        }

        private void ofTable(RuleText rule, Set<String> known) {
            if (!known.contains(rule.chain())) {
                other(rule);
            }
        }

        private void other(RuleText rule) {
            if (ForeignRule.returnsWithoutMark(rule.text())) {
                // kube-proxy: whatever follows sees marked packets only
                graph.close(graph.chain(rule.chain()));
            } else {
                ways(rule, (target, narrowed) -> graph.way(graph.chain(rule.chain()), target, narrowed, rule::text));
            }
        }

        private void ways(RuleText rule, Way way) {
            ForeignRule facts = ForeignRule.of(rule.text(), family);
            if (facts.rewrites()) {
                way.to(JumpGraph.REWRITE, facts.narrowed());
            }
            for (String target : facts.targets()) {
                if (!target.equals(ours)) {
                    way.to(graph.chain(target), facts.narrowed());
                    if (!read.contains(target)) {
                        unread.add(target);
                    }
                }
            }
        }
    }

    private interface Way {
        void to(int target, boolean narrowed);
    }
}
