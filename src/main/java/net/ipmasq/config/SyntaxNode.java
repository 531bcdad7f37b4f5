package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A YAML or JSON text as a tree; both front ends build the same one, so that there is one reader. */
public sealed interface SyntaxNode {

    Position at();

    /** What a person calls this: {@code a list}, {@code a mapping}, {@code a number}. */
    String label();

    /** Whether this is a single value that stands for none. */
    default boolean isNull() {
        return false;
    }

    /** The text of a single value; empty for anything else. */
    default Optional<String> asText() {
        return Optional.empty();
    }

    /** This tree with every position replaced. */
    SyntaxNode moved(UnaryOperator<Position> move);

    /** Keys and values in text order; duplicates are kept for the reader to report. */
    record Mapping(List<Entry> entries, Position at) implements SyntaxNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String label() {
            return "a mapping";
        }

        @Override
        public Mapping moved(UnaryOperator<Position> move) {
            return new Mapping(
                    entries.stream()
                            .map(e -> new Entry(e.key.moved(move), e.value.moved(move)))
                            .toList(),
                    move.apply(at));
        }
    }

    /** One key of a mapping. YAML allows any node as a key. */
    record Entry(SyntaxNode key, SyntaxNode value) {}

    record Sequence(List<SyntaxNode> items, Position at) implements SyntaxNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String label() {
            return "a list";
        }

        @Override
        public Sequence moved(UnaryOperator<Position> move) {
            return new Sequence(items.stream().map(item -> item.moved(move)).toList(), move.apply(at));
        }
    }

    /**
     * A single value.
     *
     * @param text without quotes, escapes resolved
     * @param kind what the text means to YAML 1.1 or JSON
     */
    record Scalar(String text, Style style, Kind kind, Position at) implements SyntaxNode {

        @Override
        public boolean isNull() {
            return kind == Kind.NULL;
        }

        @Override
        public Optional<String> asText() {
            return Optional.of(text);
        }

        @Override
        public String label() {
            return kind.label;
        }

        @Override
        public Scalar moved(UnaryOperator<Position> move) {
            return new Scalar(text, style, kind, move.apply(at));
        }
    }

    /** How a scalar is written. JSON strings are {@link #DOUBLE_QUOTED}. */
    enum Style {
        PLAIN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        LITERAL,
        FOLDED
    }

    enum Kind {
        STRING("a text"),
        BOOL("a bool"),
        INT("a number"),
        FLOAT("a number"),
        NULL("null");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /** This node at another place: an alias has the place where it is used. */
    static SyntaxNode placed(SyntaxNode node, Position at) {
        return switch (node) {
            case Mapping mapping -> new Mapping(mapping.entries, at);
            case Sequence sequence -> new Sequence(sequence.items, at);
            case Scalar scalar -> new Scalar(scalar.text, scalar.style, scalar.kind, at);
        };
    }
}
