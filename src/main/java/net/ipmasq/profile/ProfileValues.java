package net.ipmasq.profile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.ipmasq.config.Findings;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.SyntaxNode;
import net.ipmasq.net.PortRange;
import net.ipmasq.net.Quoted;

/** The kinds of value that only profiles have. Each method gives the value, or nothing and has reported why. */
final class ProfileValues {
    private static final String DNS_NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";

    private final Findings findings;

    ProfileValues(Findings findings) {
        this.findings = findings;
    }

    Optional<SyntaxNode.Mapping> mapping(Known key) {
        if (key.value() instanceof SyntaxNode.Mapping mapping) {
            return Optional.of(mapping);
        }
        findings.add(
                ProblemCode.PROFILE_MAPPING_EXPECTED,
                key.value().at(),
                key.path(),
                "this is " + key.value().label() + ", not a mapping",
                "write the keys of " + key.key() + " below it, indented by two spaces");
        return Optional.empty();
    }

    Optional<String> text(Known key) {
        if (key.value() instanceof SyntaxNode.Scalar scalar && scalar.kind() == SyntaxNode.Kind.STRING) {
            return Optional.of(scalar.text());
        }
        findings.add(
                ProblemCode.PROFILE_TEXT_EXPECTED,
                key.value().at(),
                key.path(),
                "this is " + key.value().label() + ", not a text",
                key.value() instanceof SyntaxNode.Scalar ? "put it in quotes" : "write a text");
        return Optional.empty();
    }

    /** A name that goes into metrics and messages. */
    Optional<String> profileName(Known key) {
        return named(key, LABEL, "use 1 to 63 letters, digits and . _ -, with a letter or digit at both ends");
    }

    /** A name of a Kubernetes object. */
    Optional<String> objectName(Known key) {
        return named(key, DNS_NAME, "use lower-case letters, digits, - and ., with a letter or digit at both ends");
    }

    private Optional<String> named(Known key, String pattern, String fix) {
        Optional<String> text = text(key);
        if (text.isPresent() && !text.get().matches(pattern)) {
            findings.add(
                    ProblemCode.PROFILE_NAME_INVALID,
                    key.value().at(),
                    key.path(),
                    Quoted.naming(text.get()) + " is not a valid name",
                    fix);
            return Optional.empty();
        }
        return text;
    }

    Optional<String> chain(Known key) {
        Optional<String> text = text(key);
        Optional<String> fault = text.flatMap(ChainName::fault);
        if (fault.isPresent()) {
            findings.add(
                    ProblemCode.PROFILE_CHAIN_INVALID,
                    key.value().at(),
                    key.path(),
                    fault.get(),
                    "write a name of your own, for example IP-MASQ-AGENT");
            return Optional.empty();
        }
        return text;
    }

    /** {@code on} and {@code off} without quotes are bools to YAML 1.1, and are accepted too. */
    Optional<Ipv6Mode> ipv6(Known key) {
        Optional<String> text = key.value().asText();
        Optional<Ipv6Mode> mode = text.flatMap(word -> Ipv6Mode.of(word.toLowerCase(Locale.ROOT)));
        if (mode.isEmpty()) {
            String shown = text.map(Quoted::naming).orElse(key.value().label());
            findings.add(
                    ProblemCode.PROFILE_IPV6_INVALID,
                    key.value().at(),
                    key.path(),
                    shown + " is not a mode",
                    "write \"on\", \"off\" or \"auto\"");
        }
        return mode;
    }

    /** Ranges as {@code --to-ports} takes them; an empty text for the kernel's choice; a bare number is one port. */
    Optional<List<PortRange>> ports(Known key) {
        boolean number = key.value() instanceof SyntaxNode.Scalar scalar && scalar.kind() == SyntaxNode.Kind.INT;
        Optional<String> text = number ? Optional.of(((SyntaxNode.Scalar) key.value()).text()) : text(key);
        try {
            return text.map(ranges -> ranges.isEmpty() ? List.of() : PortRange.listOf(ranges));
        } catch (IllegalArgumentException e) {
            findings.add(
                    ProblemCode.PROFILE_PORTS_INVALID,
                    key.value().at(),
                    key.path(),
                    String.valueOf(e.getMessage()),
                    "write ranges without spaces, for example \"1024-29999,32768-65535\"");
            return Optional.empty();
        }
    }
}
