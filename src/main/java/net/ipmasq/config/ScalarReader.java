package net.ipmasq.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.OddCharacter;
import net.ipmasq.net.Quoted;

/** Reads single values. Each method gives the value, or nothing and has reported why. */
public final class ScalarReader {
    private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");
    private static final Set<String> FALSE = Set.of("false", "no", "off", "n");

    private final Findings findings;

    public ScalarReader(Findings findings) {
        this.findings = findings;
    }

    /** A bool of YAML 1.1, unquoted. */
    public Optional<Boolean> bool(Known key) {
        if (key.absent(findings)) {
            return Optional.empty();
        }
        if (!(key.value() instanceof SyntaxNode.Scalar scalar)) {
            return notBool(key, key.value().label() + " is not a bool", "write true or false");
        }
        Optional<Boolean> meant = meaning(scalar.text().strip());
        if (meant.isPresent() && scalar.style() == SyntaxNode.Style.PLAIN) {
            return meant;
        }
        if (meant.isPresent()) {
            findings.add(
                    ProblemCode.BOOL_QUOTED,
                    scalar.at(),
                    key.path(),
                    "this is the text " + Quoted.of(scalar.text()) + ", not a bool",
                    "remove the quotes: " + key.key() + ": " + meant.get());
            return Optional.empty();
        }
        boolean number = scalar.text().equals("0") || scalar.text().equals("1");
        String fix = number ? "write " + scalar.text().equals("1") : "write true or false";
        return notBool(
                key,
                Quoted.naming(scalar.text()) + " is not a bool",
                OddCharacter.in(scalar.text()).map(OddCharacter::fix).orElse(fix));
    }

    private static Optional<Boolean> meaning(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (TRUE.contains(lower)) {
            return Optional.of(true);
        }
        return FALSE.contains(lower) ? Optional.of(false) : Optional.empty();
    }

    private Optional<Boolean> notBool(Known key, String message, String fix) {
        findings.add(ProblemCode.BOOL_INVALID, key.value().at(), key.path(), message, fix);
        return Optional.empty();
    }

    /** An interval in Go's syntax, brought into the bounds of {@link ResyncInterval}. */
    public Optional<Duration> duration(Known key) {
        return new DurationReader(findings).read(key);
    }

    /** A whole number of 1 or more, in plain decimal. */
    public Optional<Integer> limit(Known key) {
        if (key.absent(findings)) {
            return Optional.empty();
        }
        if (key.value() instanceof SyntaxNode.Scalar scalar
                && scalar.kind() == SyntaxNode.Kind.INT
                && scalar.text().matches("[1-9][0-9]{0,8}")) {
            return Optional.of(Integer.valueOf(scalar.text()));
        }
        String shown =
                key.value().asText().map(Quoted::naming).orElse(key.value().label());
        boolean quotedNumber = key.value() instanceof SyntaxNode.Scalar scalar
                && scalar.style() != SyntaxNode.Style.PLAIN
                && scalar.text().matches("[1-9][0-9]{0,8}");
        findings.add(
                ProblemCode.CIDR_LIMIT_INVALID,
                key.value().at(),
                key.path(),
                shown + (quotedNumber ? " is a text, not a number" : " is not a whole number from 1 to 999999999"),
                quotedNumber
                        ? "remove the quotes: " + key.key() + ": " + ((SyntaxNode.Scalar) key.value()).text()
                        : "write a plain number of 1 or more, for example 64");
        return Optional.empty();
    }
}
