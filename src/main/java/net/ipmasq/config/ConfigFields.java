package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.Quoted;

/** Reads the keys of one mapping into an {@link AgentConfig}. */
final class ConfigFields {
    private static final List<String> KEYS = ConfigKey.spellings(ConfigKey.ALL);

    private final Findings findings;
    private final ScalarReader scalars;
    private final CidrListReader lists;

    private AgentConfig config = AgentConfig.EMPTY;

    ConfigFields(Findings findings) {
        this.findings = findings;
        this.scalars = new ScalarReader(findings);
        this.lists = new CidrListReader(findings);
    }

    /** Reads every key, so that every problem is found; the result is of use only if none of them is an error. */
    AgentConfig read(SyntaxNode.Mapping mapping) {
        List<Known> known = new KeyReader(KEYS, ProblemCode.UNKNOWN_KEY, "", findings).read(mapping);
        if (known.isEmpty()) {
            mapping.entries().stream()
                    .filter(entry -> entry.key() instanceof SyntaxNode.Scalar)
                    .findFirst()
                    .ifPresent(this::reportNoneKnown);
        }
        for (Known key : known) {
            switch (ConfigKey.of(key.key()).orElseThrow()) {
                case CidrList list -> set(list, key, list(list, key));
                case ConfigKey.Single<?> single -> read(single, key);
            }
        }
        return config;
    }

    /** An error: if such a text were read as one without keys, the provider's values would replace good rules. */
    private void reportNoneKnown(SyntaxNode.Entry first) {
        String key = first.key().asText().orElse("");
        boolean nested = key.equals("config") || first.value() instanceof SyntaxNode.Mapping;
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
                "no key of this text is known, so the text cannot be meant for this agent",
                fix + "; {} as the whole text asks for the provider's values");
    }

    private <T> void read(ConfigKey.Single<T> which, Known key) {
        set(which, key, which.reader().apply(scalars, key));
    }

    private <T> void set(ConfigKey<T> which, Known key, Optional<T> value) {
        value.ifPresent(v -> config = config.with(which, new Located<>(v, key.at())));
    }

    private Optional<List<AgentConfig.Item>> list(CidrList which, Known key) {
        boolean none = key.value().isNull();
        if (none
                || key.value() instanceof SyntaxNode.Sequence sequence
                        && sequence.items().isEmpty()) {
            findings.add(
                    ProblemCode.LIST_EMPTY,
                    key.at(),
                    key.path(),
                    (none ? "the key has no value, which is" : "this is") + " an empty list: " + which.whenEmpty(),
                    "remove the key to get the provider's list"
                            + (none ? ", or write [] if an empty list is meant" : ""));
        }
        return lists.read(key);
    }
}
