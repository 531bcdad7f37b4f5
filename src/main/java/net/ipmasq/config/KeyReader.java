package net.ipmasq.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;

/** Matches the keys of a mapping, in any case, against those that have a meaning, and reports the others. */
public final class KeyReader {
    /** What a text starts with that was made with --from-file=config=MANIFEST. */
    private static final Set<String> MANIFEST_KEYS = Set.of("apiVersion", "kind", "metadata", "data");

    private final List<String> known;
    private final ProblemCode unknown;
    private final String prefix;
    private final Findings findings;

    /**
     * A key that has a meaning.
     *
     * @param key in canonical spelling
     * @param path with the keys that lead to it, for messages
     */
    public record Known(String key, String path, Position at, Node value) {

        /** Whether nothing is written after the key; says in {@code findings} that the key then counts as absent. */
        public boolean absent(Findings findings) {
            boolean isNull = value instanceof Node.Scalar scalar && scalar.isNull();
            if (isNull) {
                findings.add(
                        ProblemCode.VALUE_NULL,
                        at,
                        path,
                        "the key has no value, so it counts as absent and the provider's value holds",
                        "write a value after the colon, or remove the key");
            }
            return isNull;
        }
    }

    /**
     * @param known canonical spellings
     * @param unknown the code for other keys
     * @param prefix of paths, for example {@code defaults.}; empty at the top
     */
    public KeyReader(List<String> known, ProblemCode unknown, String prefix, Findings findings) {
        this.known = List.copyOf(known);
        this.unknown = unknown;
        this.prefix = prefix;
        this.findings = findings;
    }

    /** The known keys in text order. A duplicate is reported and still returned, so that its value is judged too. */
    public List<Known> read(Node.Mapping mapping) {
        List<Known> found = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        for (Node.Entry entry : mapping.entries()) {
            if (!(entry.key() instanceof Node.Scalar key)) {
                reportKeyThatIsNoText(entry.key());
                continue;
            }
            Optional<String> canonical = known.stream()
                    .filter(k -> lower(k).equals(lower(key.text())))
                    .findFirst();
            String path = prefix + canonical.orElse(Quoted.withoutQuotes(key.text()));
            @Nullable Position first = seen.putIfAbsent(lower(key.text()), key.at());
            if (first != null) {
                reportDuplicate(key, path, first);
            }
            if (canonical.isPresent()) {
                found.add(new Known(canonical.get(), path, key.at(), entry.value()));
            } else if (first == null) {
                reportUnknown(key, path);
            }
        }
        return found;
    }

    private static String lower(String key) {
        return key.toLowerCase(Locale.ROOT);
    }

    private void reportKeyThatIsNoText(Node key) {
        findings.add(
                ProblemCode.KEY_NOT_TEXT,
                key.at(),
                "",
                key.label() + " stands where a key belongs",
                "write a key such as " + known.getFirst()
                        + "; if this is a template such as {{ ... }}, render it first");
    }

    private void reportDuplicate(Node.Scalar key, String path, Position first) {
        findings.add(
                ProblemCode.DUPLICATE_KEY,
                key.at(),
                path,
                "the key is on line " + first.line() + " and again on line "
                        + key.at().line(),
                "remove one of the two; a list under both has to be joined under one");
    }

    private void reportUnknown(Node.Scalar key, String path) {
        String verdict = unknown.severity() == Problem.Severity.ERROR ? "" : " and is ignored";
        findings.add(unknown, key.at(), path, Quoted.of(key.text()) + " is not a known key" + verdict, unknownFix(key));
    }

    private String unknownFix(Node.Scalar key) {
        if (key.text().equals("<<")) {
            return "merge keys are not supported; write the keys out (an alias as a value, 'key: *name', does work)";
        }
        if (MANIFEST_KEYS.contains(key.text()) && prefix.isEmpty()) {
            return "this looks like a whole ConfigMap manifest; only the text under its data.config belongs here";
        }
        if (key.text().equalsIgnoreCase("NonMasqueradeSrcCIDRs")) {
            // near to a key of ours in letters, and its opposite in meaning
            return "it names pods by their own address, which this agent cannot do: it decides by destination only;"
                    + " remove it";
        }
        String all = "the known keys are " + String.join(", ", known);
        return NearestKey.of(key.text(), known).map(k -> "write " + k).orElse(all);
    }
}
