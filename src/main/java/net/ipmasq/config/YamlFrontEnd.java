package net.ipmasq.config;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** YAML 1.1 to tree from SnakeYAML's events; nothing is ever bound to a class. */
final class YamlFrontEnd {
    private YamlFrontEnd() {}

    static SyntaxTree parse(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SourceText.MAX_BYTES);
        options.setNestingDepthLimit(SyntaxTree.MAX_DEPTH);
        try {
            return new YamlTreeBuilder(new ParserImpl(new StreamReader(text), options)).build();
        } catch (MarkedYAMLException e) {
            return new SyntaxTree.Broken(YamlSyntaxProblem.of(e, text));
        } catch (Refusal e) {
            return new SyntaxTree.Broken(e.problem());
        } catch (YAMLException e) {
            return new SyntaxTree.Broken(YamlSyntaxProblem.withoutPlace(e));
        }
    }

    static Position position(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
