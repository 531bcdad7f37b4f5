package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.Outcome;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import org.jspecify.annotations.Nullable;

/**
 * Finds rules of others that give a packet its source address: every base chain of type nat at postrouting sees the
 * packet in order of priority until one of them has decided. ACCEPT and RETURN end one chain only.
 */
final class ForeignChains {
    private static final int DEPTH = 8;
    private static final int CHAINS_ONE_BY_ONE = 6;

    private static final Pattern REWRITE = Pattern.compile(
            "\\bmasquerade\\b|\\bsnat (ip6? )?(prefix )?to\\b|xt target \"?(MASQUERADE|SNAT|NETMAP)\\b");
    private static final Pattern JUMP = Pattern.compile("\\b(?:jump|goto) ([^\\s,}]+)");
    private static final Pattern MARK = Pattern.compile("\\b(meta|ct) mark\\b|xt match \"?(conn)?mark\\b");

    /** Names in quotes, such as those of interfaces, say nothing about what a rule does. */
    private static final Pattern QUOTED = Pattern.compile("(?<!xt target )(?<!xt match )\"[^\"]*\"");

    /** What does not narrow a rule down to some sources or interfaces, and the verdict itself. */
    private static final Pattern WIDE = Pattern.compile(
            "\\bcounter\\b|xt match \"?comment\"?|\\bip6? daddr (!= )?(\\{[^}]*}|\\S+)"
                    + "|\\bmeta (l4proto|nfproto) (!= )?(\\{[^}]*}|\\S+)|\\b(tcp|udp|sctp|th) dport (!= )?(\\{[^}]*}|\\S+)"
                    + "|\\bfib daddr type (!= )?\\S+|xt target \"?\\w+\"?|\\b(masquerade|snat)\\b.*$|\\b(jump|goto) \\S+");

    private static final Pattern COMMENT = Pattern.compile("comment \"[^\"]*\"");

    private final Tool tool;

    ForeignChains(Tool tool) {
        this.tool = tool;
    }

    /** A base chain at nat postrouting that is not ours; {@code family} is nft's: ip, ip6 or inet. */
    record Hook(String family, String table, String chain, long priority) {}

    /** All of them, or why they cannot be told. */
    record Hooks(List<Hook> all, Optional<Failure> failure) {}

    /** Asks the tool once for both families. */
    Hooks hooks() {
        Outcome outcome = tool.listJson(false, "chains");
        Optional<Failure> failure = Tool.failure(outcome);
        if (failure.isPresent() || !(outcome instanceof Exited exited)) {
            return new Hooks(List.of(), failure);
        }
        try {
            List<Hook> hooks = new ArrayList<>();
            for (Object object : Json.list(Json.map(Json.parse(exited.stdout())).get("nftables"))) {
                hook(Json.map(Json.map(object).get("chain"))).ifPresent(hooks::add);
            }
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
        return nat && !hook.table().equals(Names.TABLE) ? Optional.of(hook) : Optional.empty();
    }

    /**
     * Hands over the rules in these chains that decide about packets of {@code family}.
     *
     * @param ours our chain, which the iptables backend may have left in its table: not somebody else's
     */
    Optional<Failure> shadows(Hooks hooks, IpFamily family, String ours, Consumer<Shadow> found) {
        for (Hook hook : hooks.all()) {
            if (hook.family().equals("inet") || hook.family().equals(Names.family(family))) {
                Optional<Failure> failure = new Walk(hook, family, ours).shadows(found);
                if (failure.isPresent()) {
                    return failure;
                }
            }
        }
        return Optional.empty();
    }

    /** A rule that a packet can reach. */
    private record Hit(String text, boolean narrowed) {}

    private final class Walk {
        private final Hook hook;
        private final String ours;
        private final Pattern otherFamily;
        private final Set<String> visited = new HashSet<>();
        private final Map<String, List<String>> read = new HashMap<>();
        private Optional<Failure> failure = Optional.empty();

        Walk(Hook hook, IpFamily family, String ours) {
            this.hook = hook;
            this.ours = ours;
            this.otherFamily = Pattern.compile(
                    family == IpFamily.IPV4
                            ? "\\bip6 [sd]addr\\b|\\bnfproto ipv6\\b"
                            : "\\bip [sd]addr\\b|\\bnfproto ipv4\\b");
        }

        Optional<Failure> shadows(Consumer<Shadow> found) {
            List<String> rules = rules(hook.chain());
            for (int i = 0; i < rules.size(); i++) {
                visited.clear();
                Optional<Hit> hit = hit(rules.get(i), 0);
                if (hit.isPresent()) {
                    String place = hook.family() + " " + hook.table() + " " + hook.chain() + ": ";
                    boolean before = hook.priority() <= Names.PRIORITY;
                    found.accept(new Shadow(
                            hit.get().narrowed(),
                            before,
                            i + 1,
                            place + hit.get().text()));
                }
            }
            return failure;
        }

        /** Each chain is read once a walk; where many are led to, the whole table with one call. */
        private List<String> rules(String chain) {
            List<String> known = read.get(chain);
            if (known == null && read.size() < CHAINS_ONE_BY_ONE) {
                known = ofOne(chain);
            } else if (known == null) {
                readAll();
                known = read.getOrDefault(chain, List.of());
            }
            read.put(chain, known);
            return known;
        }

        private void readAll() {
            Outcome outcome = tool.listText("table", hook.family(), hook.table());
            failure = failure.or(() -> Tool.isAbsent(outcome) ? Optional.empty() : Tool.failure(outcome));
            Map<String, List<String>> all = new HashMap<>();
            if (outcome instanceof Exited exited) {
                RuleTexts.of(exited.stdout())
                        .forEach(rule -> all.computeIfAbsent(rule.chain(), name -> new ArrayList<>())
                                .add(rule.text()));
            }
            all.forEach(read::putIfAbsent);
        }

        private List<String> ofOne(String chain) {
            Outcome outcome = tool.listText("chain", hook.family(), hook.table(), chain);
            if (Tool.isAbsent(outcome)) {
                // gone since it was listed
                return List.of();
            }
            failure = failure.or(() -> Tool.failure(outcome));
            return outcome instanceof Exited exited
                    ? RuleTexts.of(exited.stdout()).stream()
                            .map(RuleTexts.RuleText::text)
                            .toList()
                    : List.of();
        }

        private Optional<Hit> hit(String text, int depth) {
            String plain = plain(text);
            if (MARK.matcher(plain).find() || otherFamily.matcher(plain).find()) {
                return Optional.empty();
            }
            boolean narrowed = !WIDE.matcher(plain).replaceAll("").isBlank();
            if (REWRITE.matcher(plain).find()) {
                return Optional.of(new Hit(text, narrowed));
            }
            Optional<Hit> widest = Optional.empty();
            // a verdict map has several ways
            for (Matcher jump = JUMP.matcher(plain); jump.find(); ) {
                if (depth < DEPTH && !jump.group(1).equals(ours) && visited.add(jump.group(1))) {
                    widest = wider(widest, inChain(jump.group(1), depth + 1));
                }
            }
            return widest.map(hit -> new Hit(text + " => " + hit.text(), narrowed || hit.narrowed()));
        }

        private static String plain(String text) {
            return QUOTED.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("\"\"");
        }

        private static Optional<Hit> wider(Optional<Hit> one, Optional<Hit> two) {
            return two.isPresent()
                            && (one.isEmpty()
                                    || one.get().narrowed() && !two.get().narrowed())
                    ? two
                    : one;
        }

        /** The widest hit in a chain: one that sees every packet counts more than one that sees some. */
        private Optional<Hit> inChain(String chain, int depth) {
            Optional<Hit> widest = Optional.empty();
            for (String rule : rules(chain)) {
                String plain = plain(rule);
                if (MARK.matcher(plain).find() && plain.contains("return")) {
                    // kube-proxy: whatever follows sees marked packets only
                    break;
                }
                widest = wider(widest, hit(rule, depth));
            }
            return widest;
        }
    }
}
