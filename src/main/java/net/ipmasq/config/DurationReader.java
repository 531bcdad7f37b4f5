package net.ipmasq.config;

import java.time.Duration;
import java.util.Optional;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.GoDuration;
import net.ipmasq.net.OddCharacter;
import net.ipmasq.net.Quoted;

/** Reads an interval in Go's syntax and brings it into bounds. */
final class DurationReader {
    private static final String EXAMPLE = "write a number with a unit, for example 60s, 1m30s or 500ms";

    private final Findings findings;

    DurationReader(Findings findings) {
        this.findings = findings;
    }

    Optional<Duration> read(Known key) {
        if (key.absent(findings)) {
            return Optional.empty();
        }
        if (!(key.value() instanceof SyntaxNode.Scalar scalar)) {
            return invalid(key, key.value().label() + " is not a duration", EXAMPLE);
        }
        String text = scalar.text().strip();
        boolean quotedZero = scalar.kind() == SyntaxNode.Kind.STRING && text.equals("0");
        if (text.matches("[-+]?[0-9]{1,18}(\\.[0-9]{1,9})?") && !quotedZero) {
            findings.add(
                    ProblemCode.DURATION_NO_UNIT,
                    scalar.at(),
                    key.path(),
                    Quoted.of(text) + " has no unit",
                    "write " + withUnit(text));
            return Optional.empty();
        }
        return parsed(key, scalar, text);
    }

    /** A number of seconds is what is nearly always meant; a fix must not lead to the next finding. */
    private static String withUnit(String number) {
        Duration meant = GoDuration.parse(number.replaceFirst("^([-+]?[0-9]{1,9})[0-9.]*$", "$1") + "s");
        boolean inBounds = ResyncInterval.clamp(meant).equals(meant);
        return inBounds ? number + "s" : GoDuration.format(ResyncInterval.clamp(meant));
    }

    private Optional<Duration> parsed(Known key, SyntaxNode.Scalar scalar, String text) {
        try {
            return Optional.of(bounded(key, scalar, GoDuration.parse(text)));
        } catch (IllegalArgumentException e) {
            return invalid(
                    key,
                    Quoted.naming(text) + " is not a duration",
                    OddCharacter.in(text).map(OddCharacter::fix).orElse(EXAMPLE));
        }
    }

    private Duration bounded(Known key, SyntaxNode.Scalar scalar, Duration wanted) {
        Duration used = ResyncInterval.clamp(wanted);
        String text = Quoted.of(scalar.text());
        if (wanted.compareTo(used) < 0) {
            findings.add(
                    ProblemCode.DURATION_TOO_SHORT,
                    scalar.at(),
                    key.path(),
                    text + " is below the shortest interval; 1s is used",
                    "write 1s or more");
        } else if (wanted.compareTo(used) > 0) {
            findings.add(
                    ProblemCode.DURATION_TOO_LONG,
                    scalar.at(),
                    key.path(),
                    text + " is above the longest interval; 1h is used",
                    "write 1h or less");
        }
        return used;
    }

    private Optional<Duration> invalid(Known key, String message, String fix) {
        findings.add(ProblemCode.DURATION_INVALID, key.value().at(), key.path(), message, fix);
        return Optional.empty();
    }
}
