package net.ipmasq.dataplane.iptables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.SaveText.RawRule;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;

/**
 * Finds rules of others in the base chain that decide a packet's source address before ours do, or after ours have let
 * it pass. RETURN in our chain goes on with the base chain, so a MASQUERADE behind our jump undoes an exemption.
 */
final class ShadowFinder {
    private static final Set<String> REWRITES = Set.of("MASQUERADE", "SNAT", "NETMAP");

    private final SaveText table;
    private final String ours;

    /** A rewriting rule that a packet can reach. */
    private record Hit(String text, boolean narrowed) {}

    private ShadowFinder(SaveText table, String ours) {
        this.table = table;
        this.ours = ours;
    }

    static List<Shadow> find(SaveText table, ObservedChain observed) {
        Set<Integer> own = observed.jumps().stream()
                .filter(jump -> jump.kind() != Jump.Kind.FOREIGN)
                .map(Jump::position)
                .collect(Collectors.toSet());
        int jumpAt = own.stream().min(Integer::compare).orElse(Integer.MAX_VALUE);
        ShadowFinder finder = new ShadowFinder(table, observed.chain());
        List<Shadow> shadows = new ArrayList<>();
        List<RawRule> base = table.rules(Texts.BASE_CHAIN);
        for (int i = 0; i < base.size(); i++) {
            int position = i + 1;
            boolean before = position < jumpAt;
            if (own.contains(position)) {
                continue;
            }
            finder.hit(base.get(i), before, new HashSet<>())
                    .ifPresent(hit -> shadows.add(new Shadow(hit.narrowed(), before, position, oneLine(hit.text()))));
        }
        return shadows;
    }

    private static String oneLine(String text) {
        return text.replace('\n', ' ');
    }

    private Optional<Hit> hit(RawRule raw, boolean before, Set<String> visited) {
        RuleSpec spec = RuleSpec.parse(raw.spec());
        if (spec.jump == null || needsMark(spec)) {
            return Optional.empty();
        }
        if (spec.jump.equals(ours)) {
            // somebody's own way into our chain, for some packets only
            return Optional.of(new Hit(raw.text(), true));
        }
        // ACCEPT ends the base chain: before our jump it keeps a packet from our rules as a rewrite does
        boolean decides = REWRITES.contains(spec.jump) || before && spec.jump.equals("ACCEPT");
        if (decides) {
            return Optional.of(new Hit(raw.text(), narrows(spec)));
        }
        if (!table.chains().containsKey(spec.jump) || !visited.add(spec.jump)) {
            return Optional.empty();
        }
        return inChain(spec.jump, before, visited)
                .map(hit -> new Hit(raw.text() + " => " + hit.text(), hit.narrowed() || narrows(spec)));
    }

    /** The widest hit in a chain: one that sees every packet counts more than one that sees some. */
    private Optional<Hit> inChain(String chain, boolean before, Set<String> visited) {
        Optional<Hit> found = Optional.empty();
        for (RawRule raw : table.rules(chain)) {
            if (returnsWithoutMark(RuleSpec.parse(raw.spec()))) {
                // KUBE-POSTROUTING: whatever follows sees marked packets only
                break;
            }
            Optional<Hit> hit = hit(raw, before, visited);
            if (hit.isPresent()
                    && (found.isEmpty() || found.get().narrowed() && !hit.get().narrowed())) {
                found = hit;
            }
        }
        return found;
    }

    private static boolean needsMark(RuleSpec spec) {
        return spec.others.stream().anyMatch(option -> option.name().equals("--mark"));
    }

    private static boolean returnsWithoutMark(RuleSpec spec) {
        return "RETURN".equals(spec.jump)
                && spec.others.stream().anyMatch(option -> option.name().equals("! --mark"));
    }

    /** Whether the rule sees only some packets that head for the world: by source, interface or anything but -d, -p. */
    private static boolean narrows(RuleSpec spec) {
        return spec.probability != null
                || spec.others.stream()
                        .anyMatch(option -> !isTargetOption(option.name()) && !option.is("-m") && !option.is("-d"));
    }

    private static boolean isTargetOption(String name) {
        return name.equals("--to-source")
                || name.equals("--random")
                || name.equals("--persistent")
                || name.equals("--to");
    }
}
