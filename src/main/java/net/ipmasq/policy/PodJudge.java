package net.ipmasq.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Position;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSet;
import net.ipmasq.net.IpFamily;

/**
 * Judges what is in force for the pods of one node. What it finds differs from node to node, so it belongs in a node's
 * status and never into an Event.
 */
public final class PodJudge {
    /** Parts of a range that a message names. */
    private static final int MOST_PARTS = 4;

    private PodJudge() {}

    /**
     * All findings for a node: a note about a family that the list leaves out becomes a warning where this node's pods have
     * that family, and pod ranges that are masqueraded are added.
     *
     * @param found the findings of text and profile alone
     * @param policy {@code config} for the families that this node manages
     */
    public static List<Problem> judge(List<Problem> found, EffectiveConfig config, MasqPolicy policy, PodNetwork node) {
        List<Problem> judged = new ArrayList<>(found);
        for (IpFamily family : IpFamily.values()) {
            FamilyPolicy part = policy.families().get(family);
            if (part != null) {
                boolean leftOut = raise(judged, config, family, node);
                for (Cidr range : FamilyLeftOut.ofFamily(node.podCidrs(), family)) {
                    if (!(leftOut && isInProfile(config, range))) {
                        range(range, part).ifPresent(judged::add);
                    }
                }
            }
        }
        return judged;
    }

    /** Whether the family is left out, and this node's pods have it. */
    private static boolean raise(List<Problem> judged, EffectiveConfig config, IpFamily family, PodNetwork node) {
        List<Cidr> ranges = FamilyLeftOut.ofFamily(node.podCidrs(), family);
        Optional<Problem> note = FamilyLeftOut.note(config, family, Position.NONE);
        if (note.isEmpty() || ranges.isEmpty() && !node.forwards().contains(family)) {
            return false;
        }
        String why = ranges.isEmpty()
                ? "; this node forwards " + family.label()
                : "; this node's pods have " + family.label() + " (" + ranges.getFirst() + ")";
        int at = 0;
        while (at < judged.size() && !judged.get(at).message().equals(note.get().message())) {
            at++;
        }
        if (at < judged.size()) {
            judged.set(at, warning(judged.get(at), why));
        } else {
            // what is in force is not the text that was judged
            judged.add(warning(note.get(), why));
        }
        return true;
    }

    private static Problem warning(Problem note, String why) {
        return new Problem(
                Problem.Severity.WARNING,
                note.code(),
                note.line(),
                note.column(),
                note.path(),
                note.message() + why,
                note.fix());
    }

    /** Whether the lines that the note asks for are all that this range needs. */
    private static boolean isInProfile(EffectiveConfig config, Cidr range) {
        List<Cidr> profile = FamilyLeftOut.ofFamily(
                config.profile().defaults().get(ConfigKey.NON_MASQUERADE_CIDRS).value(), range.family());
        return CidrSet.of(List.of(range)).minus(CidrSet.of(profile)).isEmpty();
    }

    private static Optional<Problem> range(Cidr range, FamilyPolicy policy) {
        CidrSet masqueraded = policy.masqueradedIn(range);
        if (masqueraded.isEmpty()) {
            return Optional.empty();
        }
        boolean whole = masqueraded.contains(range);
        List<Cidr> by = policy.masquerade().stream()
                .map(EffectiveConfig.Entry::cidr)
                .filter(range::overlaps)
                .toList();
        boolean listed = !by.isEmpty();
        return Optional.of(ProblemCode.POD_RANGE_MASQUERADED.at(
                Position.NONE,
                (listed ? ConfigKey.MASQUERADE_CIDRS : ConfigKey.NON_MASQUERADE_CIDRS).spelling(),
                (whole
                                ? "the pod range " + range + " of this node is masqueraded"
                                : "of the pod range " + range + " of this node, " + named(masqueraded.prefixes())
                                        + " is masqueraded")
                        + ": pods there see a node's address as their client, instead of that of the calling pod or of the"
                        + " client of a hostPort",
                (listed ? "remove or narrow " + named(by) + " in masqueradeCIDRs, and keep " : "add ")
                        + range + ", or better the pod range of the whole cluster, "
                        + (listed ? "in" : "to") + " nonMasqueradeCIDRs"));
    }

    private static String named(List<Cidr> cidrs) {
        int more = cidrs.size() - MOST_PARTS;
        return cidrs.stream().limit(MOST_PARTS).map(Cidr::toString).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
