package net.ipmasq.config;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.parser.ParserImpl;

/** Parses YAML 1.1 into a tree from SnakeYAML's events; nothing is ever bound to a class. */
final class YamlFrontEnd {
    private YamlFrontEnd() {}

    static SyntaxTree parse(SourceText.Clean text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SourceText.MAX_BYTES);
        options.setNestingDepthLimit(SyntaxTree.MAX_DEPTH);
        WholeTextReader reader = new WholeTextReader(Tabs.separating(text.text()));
        try {
            return new YamlTreeBuilder(new ParserImpl(reader, options)).build();
        } catch (MarkedYAMLException e) {
            return new SyntaxTree.Broken(YamlSyntaxProblem.of(e, text));
        } catch (Refusal e) {
            return new SyntaxTree.Broken(e.problem());
        } catch (YAMLException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // SnakeYAML 2.5 lets a NumberFormatException out for "\UFFFFFFFF" and for huge %YAML versions
            return new SyntaxTree.Broken(YamlSyntaxProblem.unexplained(position(reader.getMark())));
        }
    }

    static Position position(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
