package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.ipmasq.bundle.archive.BundleFinding.Code;
import net.ipmasq.bundle.archive.Rendering.Manifests;
import net.ipmasq.text.Counted;

/** Renders both bundles with the values of the older one, as an upgrade does if nobody edits anything, and compares. */
final class Upgrade {
    private final BundleFiles before;
    private final BundleFiles after;
    private final HelmChart oldChart;
    private final HelmChart newChart;
    private final List<BundleFinding> reasons = new ArrayList<>();
    private final List<RuleChange> rules = new ArrayList<>();
    private final TreeSet<Right> oldRights = new TreeSet<>();
    private final TreeSet<Right> newRights = new TreeSet<>();

    Upgrade(BundleFiles before, BundleFiles after, HelmChart oldChart, HelmChart newChart) {
        this.before = before;
        this.after = after;
        this.oldChart = oldChart;
        this.newChart = newChart;
    }

    BundleDiff judge() {
        Versions.order(before, after).ifPresent(reasons::add);
        Verification.userTemplate(before, after).ifPresent(reasons::add);
        ValuesCase.of(before).forEach(this::compare);
        List<Right> added = differing(oldRights, newRights, Right.declared(before), Right.declared(after));
        List<Right> removed = differing(newRights, oldRights, Right.declared(after), Right.declared(before));
        if (!added.isEmpty()) {
            reasons.add(Code.RIGHT_GROWS.of(
                    BundleFiles.ADDON,
                    "it has more rights than " + before.version() + ": "
                            + added.stream().map(Right::toString).collect(Collectors.joining(", ")),
                    "have a person approve it"));
        }
        rules.forEach(this::reasons);
        return new BundleDiff(
                before.version(),
                after.version(),
                List.copyOf(reasons),
                added,
                removed,
                List.copyOf(rules),
                ValueChange.between(before.yaml(BundleFiles.VALUES), after.yaml(BundleFiles.VALUES)),
                ValueChange.between(images(before), images(after)));
    }

    /** Both what is declared and what is given: an add-on manager acts on the one, the cluster on the other. */
    private static List<Right> differing(
            Set<Right> given, Set<Right> asked, Set<Right> declared, Set<Right> declaredAfter) {
        return Stream.concat(Right.beyond(given, asked).stream(), Right.beyond(declared, declaredAfter).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static Map<String, Object> images(BundleFiles bundle) {
        Map<String, Object> images = new TreeMap<>();
        for (Object image : Tree.list(bundle.yaml(BundleFiles.ADDON), "images")) {
            images.put(Tree.text(image, "name"), Tree.text(image, "repository") + "@" + Tree.text(image, "digest"));
        }
        return images;
    }

    private void compare(ValuesCase one) {
        Rendering old = oldChart.render(one.values());
        Rendering now = newChart.render(one.values());
        if (now instanceof Rendering.Refused refused) {
            reasons.add(Code.VALUES_REFUSED.of(
                    one.file(),
                    after.version() + " refuses values of " + before.version() + " (" + one.name() + "): "
                            + refused.message(),
                    "accept them, or have a person change them before the upgrade"));
        }
        if (old instanceof Manifests from && now instanceof Manifests to) {
            oldRights.addAll(Right.of(from));
            newRights.addAll(Right.of(to));
            rules(one, CaseRules.of(from, from), CaseRules.of(from, to));
        }
    }

    private void rules(ValuesCase one, CompiledRules old, CompiledRules now) {
        if (now instanceof CompiledRules.Bad bad) {
            reasons.add(Code.CONFIG_INVALID.of(
                    one.file(),
                    "under " + after.version() + " the agent would not accept " + bad.message(),
                    "have a person review it"));
        }
        if (old instanceof CompiledRules.Good from && now instanceof CompiledRules.Good to) {
            RuleChange.between(one.name(), from, to).ifPresent(rules::add);
        }
    }

    private void reasons(RuleChange change) {
        if (change.changesChain()) {
            reasons.add(Code.CHAIN_CHANGES.of(
                    BundleFiles.ADDON,
                    "under unchanged values (" + change.name() + ") the chain is " + change.toChain() + " instead of "
                            + change.fromChain(),
                    "keep the name: an older agent would not find its rules"));
        }
        if (change.changesRules()) {
            reasons.add(Code.RULES_CHANGE.of(
                    BundleFiles.ADDON,
                    "under an unchanged configuration (" + change.name() + ") "
                            + Counted.of(change.removed().size(), "rule")
                            + (change.removed().size() == 1 ? " goes and " : " go and ")
                            + change.added().size() + (change.added().size() == 1 ? " comes" : " come"),
                    "have a person approve it, or keep the profile as it was"));
        }
    }
}
