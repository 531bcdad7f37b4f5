package net.ipmasq.observe;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.ShadowList;
import net.ipmasq.net.IpFamily;
import net.ipmasq.text.Counted;

/**
 * Logs rules of others that are new and can overrule ours. A rule's position makes no difference: on a node with a
 * chain for each pod every start of a pod moves all other rules. Status has them all, or the first hundred.
 */
final class ForeignRulesLog {
    /** More at once are one line. */
    private static final int MOST_LINES = 3;

    private final LineLog log;

    ForeignRulesLog(LineLog log) {
        this.log = log;
    }

    void changed(IpFamily family, List<Shadow> before, List<Shadow> now) {
        for (boolean narrowed : new boolean[] {false, true}) {
            changed(family.label(), before, ofKind(before, narrowed), ofKind(now, narrowed));
        }
        if (now.isEmpty() && !before.isEmpty()) {
            log.info(family.label() + ": no rules of others overrule ours any more");
        }
    }

    private void changed(String family, List<Shadow> known, List<Shadow> before, List<Shadow> now) {
        Set<Shadow> seen = known.stream().map(ForeignRulesLog::anywhere).collect(Collectors.toSet());
        List<Shadow> news =
                now.stream().filter(shadow -> seen.add(anywhere(shadow))).toList();
        // which rules are beyond those listed changes with every other rule: for those only the number is compared
        boolean counted = beyond(now);
        int more = counted || beyond(before) ? total(now) - total(before) : news.size();
        if (news.isEmpty() || more <= 0) {
            return;
        }
        String whose = family + " " + news.getFirst().kind() + ": ";
        if (counted || more > MOST_LINES) {
            log.warn(whose + more + " more " + Counted.noun(more, "rule") + " of others, "
                    + (counted ? "the first " + ShadowList.MOST + " of all" : "all")
                    + " in status; the first is " + place(news.getFirst()));
        } else {
            news.forEach(shadow -> log.warn(whose + place(shadow)));
        }
    }

    private static List<Shadow> ofKind(List<Shadow> shadows, boolean narrowed) {
        return shadows.stream().filter(shadow -> shadow.narrowed() == narrowed).toList();
    }

    private static boolean beyond(List<Shadow> shadows) {
        return shadows.stream().anyMatch(Shadow.More.class::isInstance);
    }

    private static int total(List<Shadow> shadows) {
        return shadows.stream().mapToInt(Shadow::count).sum();
    }

    /** The same wherever it stands. */
    private static Shadow anywhere(Shadow shadow) {
        return new Shadow.OneRule(shadow.narrowed(), shadow.before(), 0, shadow.text());
    }

    private static String place(Shadow shadow) {
        return "rule " + shadow.position() + " of POSTROUTING, " + (shadow.before() ? "before" : "after") + " ours: "
                + shadow.text();
    }
}
