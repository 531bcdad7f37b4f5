package net.ipmasq.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.Quoted;

/** The keys of one mapping on their way to an {@link AgentConfig}. */
final class ConfigFields {
    private static final List<String> KEYS =
            Arrays.stream(ConfigKey.values()).map(ConfigKey::spelling).toList();

    private final Findings findings;
    private final ScalarReader scalars;
    private final CidrListReader lists;

    private Optional<Located<List<Item>>> nonMasqueradeCidrs = Optional.empty();
    private Optional<Located<List<Item>>> masqueradeCidrs = Optional.empty();
    private Optional<Located<Boolean>> masqOutBound = Optional.empty();
    private Optional<Located<Boolean>> masqOutBoundIpv6 = Optional.empty();
    private Optional<Located<Boolean>> masqLinkLocal = Optional.empty();
    private Optional<Located<Boolean>> masqLinkLocalIpv6 = Optional.empty();
    private Optional<Located<Duration>> resyncInterval = Optional.empty();
    private Optional<Located<Integer>> cidrLimit = Optional.empty();

    ConfigFields(Findings findings) {
        this.findings = findings;
        this.scalars = new ScalarReader(findings);
        this.lists = new CidrListReader(findings);
    }

    /** Every key is read, so that every problem is found; the result counts only if there is no error. */
    AgentConfig read(Node.Mapping mapping) {
        List<Known> known = new KeyReader(KEYS, ProblemCode.UNKNOWN_KEY, "", findings).read(mapping);
        if (known.isEmpty()) {
            mapping.entries().stream()
                    .filter(entry -> entry.key() instanceof Node.Scalar)
                    .findFirst()
                    .ifPresent(this::reportNoneKnown);
        }
        for (Known key : known) {
            read(ConfigKey.of(key.key()).orElseThrow(), key);
        }
        return new AgentConfig(
                nonMasqueradeCidrs,
                masqueradeCidrs,
                masqOutBound,
                masqOutBoundIpv6,
                masqLinkLocal,
                masqLinkLocalIpv6,
                resyncInterval,
                cidrLimit);
    }

    /** To take such a text for one without keys would replace good rules by the provider's. */
    private void reportNoneKnown(Node.Entry first) {
        String key = first.key() instanceof Node.Scalar scalar ? scalar.text() : "";
        boolean nested = key.equals("config") || first.value() instanceof Node.Mapping;
        String fix = UnknownKey.meant(key, KEYS, true)
                .orElse(
                        nested
                                ? "if the keys stand below " + Quoted.of(key)
                                        + ", remove that line and their indentation"
                                : "the known keys are " + String.join(", ", KEYS));
        findings.add(
                ProblemCode.NO_KNOWN_KEY,
                first.key().at(),
                "",
                "none of the keys in this text is known, so it cannot be meant for this agent as it is",
                fix + "; {} as the whole text asks for the provider's values");
    }

    private void read(ConfigKey which, Known key) {
        switch (which) {
            case NON_MASQUERADE_CIDRS ->
                nonMasqueradeCidrs = list(
                        key,
                        "no destination keeps the pod's address"
                                + " but link-local ones and those the provider enforces");
            case MASQUERADE_CIDRS ->
                masqueradeCidrs =
                        list(key, "no destination inside a non-masquerade range" + " gets the node's address");
            case MASQ_OUT_BOUND -> masqOutBound = located(key, scalars.bool(key));
            case MASQ_OUT_BOUND_IPV6 -> masqOutBoundIpv6 = located(key, scalars.bool(key));
            case MASQ_LINK_LOCAL -> masqLinkLocal = located(key, scalars.bool(key));
            case MASQ_LINK_LOCAL_IPV6 -> masqLinkLocalIpv6 = located(key, scalars.bool(key));
            case RESYNC_INTERVAL -> resyncInterval = located(key, scalars.duration(key));
            case CIDR_LIMIT -> cidrLimit = located(key, scalars.limit(key));
        }
    }

    private Optional<Located<List<Item>>> list(Known key, String consequence) {
        boolean none = key.value() instanceof Node.Scalar scalar && scalar.isNull();
        if (none
                || key.value() instanceof Node.Sequence sequence
                        && sequence.items().isEmpty()) {
            findings.add(
                    ProblemCode.LIST_EMPTY,
                    key.at(),
                    key.path(),
                    (none ? "the key has no value, which is" : "this is") + " an empty list: " + consequence,
                    "remove the key to get the provider's list" + (none ? ", or write [] to show intent" : ""));
        }
        return located(key, lists.read(key));
    }

    private static <T> Optional<Located<T>> located(Known key, Optional<T> value) {
        return value.map(v -> new Located<>(v, key.at()));
    }
}
