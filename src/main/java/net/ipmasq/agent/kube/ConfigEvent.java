package net.ipmasq.agent.kube;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.profile.ConfigMapRef;

/**
 * The Event that the agents of a cluster write about one state of the ConfigMap. All of it, the name included, follows from
 * text and profile, so every agent writes the same: the first creates the Event, the others find it.
 *
 * @param reason ConfigInvalid, ConfigWarning or ConfigRecovered
 * @param note at most 1,024 bytes, the API's limit
 */
record ConfigEvent(ConfigMapRef about, Version version, String reason, boolean warning, String note) {
    /** Bytes, though the server's message says characters. */
    private static final int MOST_BYTES = 1024;

    private static final String CUT = "…";

    static ConfigEvent invalid(ConfigMapRef about, Version version, Problems problems) {
        return new ConfigEvent(
                about,
                version,
                "ConfigInvalid",
                true,
                note("The configuration is not valid; the last good one stays in force.", problems));
    }

    static ConfigEvent warnings(ConfigMapRef about, Version version, Problems problems) {
        return new ConfigEvent(
                about, version, "ConfigWarning", true, note("The configuration is in force, with warnings.", problems));
    }

    static ConfigEvent recovered(ConfigMapRef about, Version version) {
        return new ConfigEvent(
                about, version, "ConfigRecovered", false, "The configuration is valid again and in force.");
    }

    /** The name of the Event, the same on every node. */
    String name() {
        String key = version.uid() + "/" + version.resourceVersion() + "/" + reason;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return about.name() + "." + HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            // every Java platform must have SHA-256 (MessageDigest's class comment)
            throw new IllegalStateException(e);
        }
    }

    /** As many whole problems as fit, and how many more there are; only the first one is cut if it is too long. */
    private static String note(String head, Problems problems) {
        StringBuilder note = new StringBuilder(head);
        int bytes = bytes(head);
        int left = problems.shown().size() + problems.omitted().total();
        // errors first: an error must not hide behind a warning that stands in an earlier line
        List<Problem> worstFirst = problems.shown().stream()
                .sorted(Comparator.comparing(Problem::severity))
                .toList();
        for (Problem problem : worstFirst) {
            // the first problem goes into the first line, the only one that kubectl get events shows
            String line = (note.length() == head.length() ? " " : "\n") + oneLine(problem);
            int room = MOST_BYTES - bytes - bytes(more(left - 1));
            if (bytes(line) > room) {
                if (note.length() == head.length()) {
                    note.append(cut(line, MOST_BYTES - bytes - bytes(more(left))));
                }
                break;
            }
            note.append(line);
            bytes += bytes(line);
            left--;
        }
        return note + more(left);
    }

    private static String oneLine(Problem problem) {
        return problem.oneLine().replaceAll("\\R", " ");
    }

    /** As many whole characters as fit, and a sign that there were more. */
    private static String cut(String line, int room) {
        StringBuilder cut = new StringBuilder();
        int left = room - bytes(CUT);
        for (int at = 0; at < line.length(); at += Character.charCount(line.codePointAt(at))) {
            String next = Character.toString(line.codePointAt(at));
            left -= bytes(next);
            if (left < 0) {
                break;
            }
            cut.append(next);
        }
        return cut + CUT;
    }

    private static String more(int left) {
        return left == 0 ? "" : "\n(and " + left + " more: run ip-masq-agent check)";
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
