package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.util.List;
import java.util.Map;
import net.ipmasq.agent.UsageException;

/**
 * What an upgrade changes.
 *
 * @param reasons why it is not safe; empty when it is
 * @param rightsAdded for people, in order
 * @param rules cases whose rules or chain change although nobody edits anything
 * @param defaults of the values
 * @param images what {@code addon.yaml} says about images
 */
public record BundleDiff(
        String from,
        String to,
        List<BundleFinding> reasons,
        List<Right> rightsAdded,
        List<Right> rightsRemoved,
        List<RuleChange> rules,
        List<ValueChange> defaults,
        List<ValueChange> images) {

    /**
     * Compares two bundles.
     *
     * @throws UsageException if Helm's engine is missing
     */
    public static BundleDiff between(BundleFiles before, BundleFiles after) {
        try (HelmEngine engine = HelmEngine.start()) {
            return new Upgrade(before, after, engine.chart(before), engine.chart(after)).judge();
        }
    }

    /** Whether it may be rolled out without a review. */
    public boolean safe() {
        return reasons.isEmpty();
    }

    /** For other programs. */
    public Map<String, Object> document() {
        return object(
                "from", from,
                "to", to,
                "safe", safe(),
                "reasons", reasons.stream().map(BundleFinding::document).toList(),
                "rights", object("added", rightsAdded, "removed", rightsRemoved),
                "rules", rules.stream().map(RuleChange::document).toList(),
                "defaults", defaults.stream().map(ValueChange::document).toList(),
                "images", images.stream().map(ValueChange::document).toList());
    }

    /** For people. */
    public String text() {
        StringBuilder text = new StringBuilder(from + " -> " + to + "\n");
        section(text, "rights", rightsAdded, "+ ");
        section(text, "rights", rightsRemoved, "- ");
        for (RuleChange change : rules) {
            text.append("rules, ").append(change.name()).append(":\n");
            if (change.changesChain()) {
                text.append("  chain ")
                        .append(change.fromChain())
                        .append(" -> ")
                        .append(change.toChain())
                        .append('\n');
            }
            change.removed().forEach(line -> text.append("  - ").append(line).append('\n'));
            change.added().forEach(line -> text.append("  + ").append(line).append('\n'));
        }
        section(text, "defaults", defaults, "");
        section(text, "images", images, "");
        if (safe()) {
            return text.append("safe\n").toString();
        }
        text.append("NOT safe:\n");
        reasons.forEach(reason -> text.append("  ").append(reason.oneLine()).append('\n'));
        return text.toString();
    }

    private static void section(StringBuilder text, String title, List<?> lines, String mark) {
        if (!lines.isEmpty()) {
            text.append(title).append(":\n");
            lines.forEach(line -> text.append("  ").append(mark).append(line).append('\n'));
        }
    }
}
