package net.ipmasq.observe;

import static net.ipmasq.json.JsonText.object;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.Value;
import net.ipmasq.rules.Drift;
import org.jspecify.annotations.Nullable;

/** The JSON shapes that more than one command, {@code /status} and other programs rely on. */
public final class JsonDocuments {
    private JsonDocuments() {}

    /** {@code {"severity", "code", "line", "column", "path", "message", "fix"}} for each. */
    public static List<Map<String, Object>> problems(List<Problem> problems) {
        return problems.stream()
                .map(problem -> object(
                        "severity", problem.severity().key(),
                        "code", problem.code(),
                        "line", problem.line(),
                        "column", problem.column(),
                        "path", problem.path(),
                        "message", problem.message(),
                        "fix", problem.fix()))
                .toList();
    }

    /** {@code {"errors": N, "warnings": N}} of what {@link #problems} does not show; null if that is nothing. */
    public static @Nullable Map<String, Object> omitted(Problems problems) {
        return problems.omitted().isEmpty() ? null : problems.omitted().document();
    }

    /** Every value in force with its origin, by key. */
    public static Map<String, Object> effective(EffectiveConfig config) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (ConfigKey<?> key : ConfigKey.AS_EVALUATED) {
            values.put(
                    key.spelling(),
                    switch (key) {
                        case CidrList list -> entries(config.get(list));
                        case ConfigKey.Single<?> single -> value(config.shown(single));
                    });
        }
        values.put("chain", value(config.profile().chain()));
        values.put("ipv6", value(config.ipv6().key(), config.profile().ipv6().origin()));
        values.put("randomFully", value(config.randomFully()));
        return values;
    }

    private static List<Map<String, Object>> entries(List<EffectiveConfig.Entry> entries) {
        return entries.stream()
                .map(entry -> value(entry.cidr(), entry.origin()))
                .toList();
    }

    private static Map<String, Object> value(Value<?> value) {
        return value(value.value(), value.origin());
    }

    private static Map<String, Object> value(Object value, Object origin) {
        return object("value", value, "origin", origin);
    }

    /** {@code {"kind", "rule", "text"}} for each difference. */
    public static List<Map<String, Object>> drift(List<Drift.Difference> differences) {
        return differences.stream()
                .map(difference -> object(
                        "kind", difference.kind().key(),
                        "rule", difference.rule().map(Object::toString),
                        "text", difference.text().isEmpty() ? null : difference.text()))
                .toList();
    }

    /** {@code {"kind", "position", "before", "text"}} for each; {@code "count"} where one stands for several rules. */
    public static List<Map<String, Object>> shadows(List<Shadow> shadows) {
        return shadows.stream()
                .map(shadow -> object(
                        "kind", shadow.kind(),
                        "position", shadow.position(),
                        "before", shadow.before(),
                        "text", shadow.text(),
                        "count", shadow.count() == 1 ? null : shadow.count()))
                .toList();
    }
}
