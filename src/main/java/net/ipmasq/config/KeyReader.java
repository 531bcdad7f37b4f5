package net.ipmasq.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;

/** Matches the keys of a mapping, in any case, against those that have a meaning, and reports the others. */
public final class KeyReader {
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
    public record Known(String key, String path, Position at, SyntaxNode value) {

        /** Whether nothing is written after the key; reports that the key is then treated as absent. */
        public boolean absent(Findings findings) {
            if (value.isNull()) {
                findings.add(
                        ProblemCode.VALUE_NULL,
                        at,
                        path,
                        "the key has no value, so it is treated as absent and the provider's value applies",
                        "write a value after the colon, or remove the key");
            }
            return value.isNull();
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
    public List<Known> read(SyntaxNode.Mapping mapping) {
        Map<String, String> canonical = known.stream().collect(Collectors.toMap(KeyReader::lower, key -> key));
        List<Known> found = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        for (SyntaxNode.Entry entry : mapping.entries()) {
            if (!(entry.key() instanceof SyntaxNode.Scalar key)) {
                reportKeyThatIsNoText(entry.key());
                continue;
            }
            String lower = lower(key.text());
            @Nullable String meant = canonical.get(lower);
            @Nullable Position first = seen.putIfAbsent(lower, key.at());
            if (first != null) {
                reportDuplicate(key, meant, first);
            }
            if (meant != null) {
                found.add(new Known(meant, prefix + meant, key.at(), entry.value()));
            } else if (first == null) {
                reportUnknown(key);
            }
        }
        return found;
    }

    private static String lower(String key) {
        return key.toLowerCase(Locale.ROOT);
    }

    private void reportKeyThatIsNoText(SyntaxNode key) {
        if (findings.onlyCounts(ProblemCode.KEY_NOT_TEXT, key.at())) {
            return;
        }
        findings.add(
                ProblemCode.KEY_NOT_TEXT,
                key.at(),
                "",
                key.label() + " is used as a key",
                "write a key such as " + known.getFirst()
                        + "; if this is a template such as {{ ... }}, render it first");
    }

    private void reportDuplicate(SyntaxNode.Scalar key, @Nullable String meant, Position first) {
        if (findings.onlyCounts(ProblemCode.DUPLICATE_KEY, key.at())) {
            return;
        }
        findings.add(
                ProblemCode.DUPLICATE_KEY,
                key.at(),
                prefix + (meant == null ? Quoted.withoutQuotes(key.text()) : meant),
                "the key is on line " + first.line() + " and again on line "
                        + key.at().line(),
                "remove one of the two; if both have a list, join the entries under one");
    }

    private void reportUnknown(SyntaxNode.Scalar key) {
        if (findings.onlyCounts(unknown, key.at())) {
            return;
        }
        String verdict = unknown.severity() == Problem.Severity.ERROR ? "" : " and is ignored";
        findings.add(
                unknown,
                key.at(),
                prefix + Quoted.withoutQuotes(key.text()),
                Quoted.naming(key.text()) + " is not a known key" + verdict,
                UnknownKey.fix(key.text(), known, prefix.isEmpty()));
    }
}
