package net.ipmasq.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.ipmasq.config.SyntaxNode.Style;
import net.ipmasq.net.OddCharacter;
import org.jspecify.annotations.Nullable;

/** Parses JSON into a tree with Jackson's streaming parser, which reports where each token is. */
final class JsonFrontEnd {
    // the size of the text is limited already; nesting is limited here so that the message is ours
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(SyntaxTree.MAX_DEPTH + 1)
                    .maxNameLength(SourceText.MAX_BYTES)
                    .maxStringLength(SourceText.MAX_BYTES)
                    .maxNumberLength(SourceText.MAX_BYTES)
                    .build())
            .build();

    private final SourceText.Clean text;
    private final JsonParser tokens;

    private JsonFrontEnd(SourceText.Clean text, JsonParser tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    static SyntaxTree parse(SourceText.Clean text) {
        try (JsonParser tokens = FACTORY.createParser(text.text())) {
            return new JsonFrontEnd(text, tokens).document();
        } catch (JsonProcessingException e) {
            JsonLocation where = e.getLocation();
            Position at = where == null ? Position.NONE : text.positionAt((int) where.getCharOffset());
            Problem problem = syntax(at, plain(e.getOriginalMessage()));
            return new SyntaxTree.Broken(where == null ? problem : named(problem, text, (int) where.getCharOffset()));
        } catch (Refusal e) {
            return new SyntaxTree.Broken(e.problem());
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }

    private SyntaxTree document() throws IOException {
        SyntaxNode root = node(tokens.nextToken(), 1);
        if (tokens.nextToken() != null) {
            return new SyntaxTree.Broken(syntax(here(), "there is more text after the end of the JSON value"));
        }
        return new SyntaxTree.Documents(List.of(new SyntaxTree.Document(root, root.at())), Problems.NONE);
    }

    private SyntaxNode node(@Nullable JsonToken token, int depth) throws IOException {
        Position at = here();
        if (token == null) {
            throw new Refusal(syntax(at, "the text ends too early"));
        }
        if (depth > SyntaxTree.MAX_DEPTH && token.isStructStart()) {
            throw Refusal.tooDeep(at);
        }
        return switch (token) {
            case START_OBJECT -> mapping(at, depth);
            case START_ARRAY -> sequence(at, depth);
            case VALUE_STRING ->
                new SyntaxNode.Scalar(tokens.getText(), Style.DOUBLE_QUOTED, SyntaxNode.Kind.STRING, at);
            case VALUE_NUMBER_INT -> new SyntaxNode.Scalar(tokens.getText(), Style.PLAIN, SyntaxNode.Kind.INT, at);
            case VALUE_NUMBER_FLOAT -> new SyntaxNode.Scalar(tokens.getText(), Style.PLAIN, SyntaxNode.Kind.FLOAT, at);
            case VALUE_TRUE, VALUE_FALSE ->
                new SyntaxNode.Scalar(tokens.getText(), Style.PLAIN, SyntaxNode.Kind.BOOL, at);
            case VALUE_NULL -> new SyntaxNode.Scalar(tokens.getText(), Style.PLAIN, SyntaxNode.Kind.NULL, at);
            case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new Refusal(syntax(at, "a value is missing"));
        };
    }

    private SyntaxNode mapping(Position at, int depth) throws IOException {
        List<SyntaxNode.Entry> entries = new ArrayList<>();
        while (tokens.nextToken() != JsonToken.END_OBJECT) {
            SyntaxNode key =
                    new SyntaxNode.Scalar(tokens.currentName(), Style.DOUBLE_QUOTED, SyntaxNode.Kind.STRING, here());
            entries.add(new SyntaxNode.Entry(key, node(tokens.nextToken(), depth + 1)));
        }
        return new SyntaxNode.Mapping(entries, at);
    }

    private SyntaxNode sequence(Position at, int depth) throws IOException {
        List<SyntaxNode> items = new ArrayList<>();
        JsonToken token = tokens.nextToken();
        while (token != JsonToken.END_ARRAY) {
            items.add(node(token, depth + 1));
            token = tokens.nextToken();
        }
        return new SyntaxNode.Sequence(items, at);
    }

    private Position here() {
        return text.positionAt((int) tokens.currentTokenLocation().getCharOffset());
    }

    /** Jackson stops at the character that it cannot take, or behind it. */
    private static Problem named(Problem problem, SourceText.Clean text, int offset) {
        int end = Math.clamp(offset + 1L, 0, text.text().length());
        return OddCharacter.in(text.text(), Math.max(0, end - 2), end)
                .map(odd -> syntax(text.positionAt(odd.at()), odd.shown() + " is not allowed here", odd.fix()))
                .orElse(problem);
    }

    private static Problem syntax(Position at, String message) {
        return syntax(
                at,
                message,
                "correct the text here; commas go between values, not after the last; names and texts in double quotes");
    }

    private static Problem syntax(Position at, String message, String fix) {
        return ProblemCode.JSON_SYNTAX.at(at, "", "this is not JSON: " + message, fix);
    }

    /** Jackson adds what means nothing to a user, and quotes the text as it is, control characters included. */
    private static String plain(String message) {
        return message.replaceFirst("(?s) \\(start marker at.*", "")
                .replaceFirst("(?s): was expecting \\(JSON String.*", ": a value belongs here")
                .replaceFirst(" \\(code \\d+[^)]*\\)", "")
                .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }
}
