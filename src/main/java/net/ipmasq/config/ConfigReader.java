package net.ipmasq.config;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.ipmasq.net.OddCharacter;
import net.ipmasq.net.Quoted;

/**
 * Reads a configuration text, YAML or JSON, and finds everything that is wrong with it at once. Pure: the same text
 * always gives the same outcome, which is {@link ConfigOutcome.Loaded} or {@link ConfigOutcome.Invalid}. Never throws.
 */
public final class ConfigReader {
    private ConfigReader() {}

    public static ConfigOutcome read(byte[] text) {
        return read(SyntaxTree.parse(text));
    }

    public static ConfigOutcome read(String text) {
        return read(SyntaxTree.parse(text));
    }

    /** Reads a text that is part of a larger one; {@code place} turns its positions into those of the larger one. */
    static ConfigOutcome read(String text, UnaryOperator<Position> place) {
        return read(SyntaxTree.parse(text).moved(place));
    }

    /**
     * Reads what a ConfigMap holds, as the API server gives it.
     *
     * @param data may be empty, which is a configuration without any key
     * @param namespace of the ConfigMap, for the fix
     * @param name of the ConfigMap, for the fix
     */
    public static ConfigOutcome readData(Map<String, String> data, String namespace, String name) {
        if (data.isEmpty()) {
            return new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of());
        }
        String text = data.get("config");
        return text == null
                ? new ConfigOutcome.Invalid(
                        List.of(keyMissing(List.copyOf(data.keySet()), namespace, name, Position.NONE)))
                : read(text);
    }

    static Problem keyMissing(List<String> keys, String namespace, String name, Position at) {
        String found = String.join(
                ", ", keys.stream().sorted().limit(20).map(Quoted::of).toList());
        String from = keys.size() == 1 ? "the text of " + Quoted.of(keys.getFirst()) : "the configuration";
        return ProblemCode.CONFIG_KEY_MISSING.at(
                at,
                "data",
                "the ConfigMap has no text under data.config; its keys are " + found,
                "save " + from + " as FILE and run: kubectl create configmap " + name + " -n " + namespace
                        + " --from-file=config=FILE --dry-run=client -o yaml | kubectl apply -f -");
    }

    /** Reads a text that is parsed already: two trees of a large text would not fit. */
    static ConfigOutcome read(SyntaxTree tree) {
        return switch (tree) {
            case SyntaxTree.Broken broken -> new ConfigOutcome.Invalid(List.of(broken.problem()));
            case SyntaxTree.Documents documents -> outcome(documents);
        };
    }

    private static ConfigOutcome outcome(SyntaxTree.Documents tree) {
        Findings findings = new Findings();
        findings.addAll(tree.problems());
        if (tree.documents().size() > 1) {
            findings.add(
                    ProblemCode.MULTIPLE_DOCUMENTS,
                    tree.documents().get(1).at(),
                    "",
                    "a second YAML document starts here; there are "
                            + tree.documents().size() + " in all",
                    "put all keys into one document and remove this '---'");
        }
        AgentConfig config = tree.documents().isEmpty()
                ? AgentConfig.EMPTY
                : config(tree.documents().getFirst().root(), findings);
        Problems problems = findings.problems();
        return findings.hasErrors() ? new ConfigOutcome.Invalid(problems) : new ConfigOutcome.Loaded(config, problems);
    }

    private static String scalarFix(String text) {
        return text.matches("(?s)[A-Za-z0-9]{1,40}:\\S.*")
                ? "write a space after each colon, for example masqOutBound: true"
                : "write keys such as nonMasqueradeCIDRs: or masqOutBound: true";
    }

    private static AgentConfig config(SyntaxNode root, Findings findings) {
        return switch (root) {
            case SyntaxNode.Mapping mapping -> new ConfigFields(findings).read(mapping);
            case SyntaxNode.Scalar scalar when scalar.isNull() -> AgentConfig.EMPTY;
            case SyntaxNode.Scalar scalar -> {
                findings.add(
                        ProblemCode.TOP_LEVEL_SCALAR,
                        scalar.at(),
                        "",
                        "the text is the single value " + Quoted.naming(scalar.text())
                                + "; keys with values belong here",
                        OddCharacter.in(scalar.text())
                                .map(OddCharacter::fix)
                                .orElseGet(() -> scalarFix(scalar.text())));
                yield AgentConfig.EMPTY;
            }
            case SyntaxNode.Sequence sequence -> {
                findings.add(
                        ProblemCode.TOP_LEVEL_LIST,
                        sequence.at(),
                        "",
                        "the text is a list; keys with values belong here",
                        "write 'nonMasqueradeCIDRs:' on a line before the list and indent the list by two spaces");
                yield AgentConfig.EMPTY;
            }
        };
    }
}
