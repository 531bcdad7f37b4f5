package net.ipmasq.config;

import java.util.List;
import java.util.function.UnaryOperator;

/** Parses a text into a tree, as JSON or as YAML, whichever it is. */
public sealed interface SyntaxTree {

    /** Most nesting levels of lists and mappings. */
    int MAX_DEPTH = 50;

    /**
     * The text has this structure.
     *
     * @param documents empty for zero bytes or comments only
     * @param problems found on the way, for example unsupported tags
     */
    record Documents(List<Document> documents, Problems problems) implements SyntaxTree {}

    /**
     * One document.
     *
     * @param at the {@code ---}, or the first sign
     */
    record Document(SyntaxNode root, Position at) {}

    /** The text has no structure because of this. */
    record Broken(Problem problem) implements SyntaxTree {}

    /** Parses bytes: size, encoding and characters are checked first. */
    static SyntaxTree parse(byte[] bytes) {
        return parse(SourceText.of(bytes));
    }

    static SyntaxTree parse(String text) {
        return parse(SourceText.of(text));
    }

    private static SyntaxTree parse(SourceText text) {
        return switch (text) {
            case SourceText.Refused refused -> new Broken(refused.problem());
            case SourceText.Clean readable -> parse(readable);
        };
    }

    private static SyntaxTree parse(SourceText.Clean text) {
        if (!text.text().stripLeading().startsWith("{")) {
            return YamlFrontEnd.parse(text);
        }
        // JSON proper comes first: YAML 1.1 parsers refuse tabs and the escape \/, which JSON writers produce
        SyntaxTree json = JsonFrontEnd.parse(text);
        if (!(json instanceof Broken brokenJson)) {
            return json;
        }
        SyntaxTree yaml = YamlFrontEnd.parse(text);
        return yaml instanceof Broken brokenYaml ? farther(brokenJson, brokenYaml) : yaml;
    }

    private static Broken farther(Broken json, Broken yaml) {
        Problem a = json.problem();
        Problem b = yaml.problem();
        boolean sameLine = b.line() == a.line();
        boolean yamlGotFarther = b.line() > a.line() || sameLine && b.column() > a.column();
        // at the same place, a finding that names its cause is more useful than "not JSON"
        boolean yamlKnowsWhy = sameLine && b.column() == a.column() && !b.code().equals(ProblemCode.YAML_SYNTAX.code());
        return yamlGotFarther || yamlKnowsWhy ? yaml : json;
    }

    /** This result with every position replaced. */
    default SyntaxTree moved(UnaryOperator<Position> move) {
        return switch (this) {
            case Broken broken -> new Broken(broken.problem.moved(move));
            case Documents tree ->
                new Documents(
                        tree.documents.stream()
                                .map(d -> new Document(d.root.moved(move), move.apply(d.at)))
                                .toList(),
                        new Problems(
                                tree.problems.shown().stream()
                                        .map(p -> p.moved(move))
                                        .toList(),
                                tree.problems.omitted()));
        };
    }
}
