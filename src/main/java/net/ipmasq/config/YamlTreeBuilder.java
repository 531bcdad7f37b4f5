package net.ipmasq.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.config.SyntaxNode.Style;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.resolver.Resolver;

/** Builds the tree of one stream of events. Built from events because only they have the position of an alias. */
final class YamlTreeBuilder {
    /** Values that aliases may add; far above any sensible text, far below what takes noticeable time. */
    private static final long MAX_ALIASED_VALUES = 100_000;

    private final Parser events;
    private final Resolver resolver = new Resolver();
    private final Findings findings = new Findings();
    private final Map<String, Sized> anchors = new HashMap<>();
    private long aliasedValues;

    /** A node and how many nodes it stands for once aliases are followed. */
    private record Sized(SyntaxNode node, long size) {}

    YamlTreeBuilder(Parser events) {
        this.events = events;
    }

    SyntaxTree build() {
        List<SyntaxTree.Document> documents = new ArrayList<>();
        events.getEvent();
        while (!events.checkEvent(Event.ID.StreamEnd)) {
            Position at = YamlFrontEnd.position(events.getEvent().getStartMark());
            anchors.clear();
            documents.add(new SyntaxTree.Document(node(1).node, at));
            events.getEvent();
        }
        // a '---' or a '...' at the end, with nothing after it, is not a document
        while (documents.size() > 1 && isEmpty(documents.getLast().root())) {
            documents.removeLast();
        }
        return new SyntaxTree.Documents(documents, findings.problems());
    }

    private static boolean isEmpty(SyntaxNode root) {
        return root instanceof SyntaxNode.Scalar scalar
                && scalar.isNull()
                && scalar.text().isEmpty();
    }

    private Sized node(int depth) {
        Event event = events.getEvent();
        Position at = YamlFrontEnd.position(event.getStartMark());
        if (event instanceof AliasEvent alias) {
            return aliased(alias.getAnchor(), at);
        }
        Sized built = switch (event) {
            case ScalarEvent scalar -> new Sized(scalar(scalar, at), 1);
            case MappingStartEvent start -> mapping(start, at, depth);
            case SequenceStartEvent start -> sequence(start, at, depth);
            default -> throw new IllegalStateException("no node starts with " + event.getEventId());
        };
        // registered when complete, so an alias inside its own anchor is unknown and no cycle can arise
        @Nullable String anchor = ((NodeEvent) event).getAnchor();
        if (anchor != null) {
            anchors.put(anchor, built);
        }
        return built;
    }

    private Sized aliased(String name, Position at) {
        Sized target = anchors.get(name);
        if (target == null) {
            throw new Refusal(ProblemCode.YAML_ALIAS_UNKNOWN.at(
                    at,
                    "",
                    "the alias " + Quoted.of("*" + name) + " has no complete anchor " + Quoted.of("&" + name)
                            + " before it",
                    "define the anchor earlier, or put the text in quotes if no alias is meant"));
        }
        aliasedValues += target.size;
        if (aliasedValues > MAX_ALIASED_VALUES) {
            throw new Refusal(ProblemCode.YAML_ALIAS_EXPANSION.at(
                    at,
                    "",
                    "aliases expand to more than " + MAX_ALIASED_VALUES + " values",
                    "write the values out instead of nesting aliases"));
        }
        return new Sized(SyntaxNode.placed(target.node, at), target.size);
    }

    private Sized mapping(MappingStartEvent start, Position at, int depth) {
        checkCollection(start.getTag(), Tag.MAP, at, depth);
        List<SyntaxNode.Entry> entries = new ArrayList<>();
        MergeKeys merges = new MergeKeys(findings);
        long size = 1;
        while (!events.checkEvent(Event.ID.MappingEnd)) {
            if (events.peekEvent() instanceof ScalarEvent scalar && MergeKeys.isOne(scalar)) {
                events.getEvent();
                Sized value = node(depth + 1);
                merges.add(YamlFrontEnd.position(scalar.getStartMark()), value.node);
                size += value.size;
                continue;
            }
            Sized key = node(depth + 1);
            Sized value = node(depth + 1);
            entries.add(new SyntaxNode.Entry(key.node, value.node));
            size += key.size + value.size;
        }
        events.getEvent();
        return new Sized(new SyntaxNode.Mapping(merges.merged(entries), at), size);
    }

    private Sized sequence(SequenceStartEvent start, Position at, int depth) {
        checkCollection(start.getTag(), Tag.SEQ, at, depth);
        List<SyntaxNode> items = new ArrayList<>();
        long size = 1;
        while (!events.checkEvent(Event.ID.SequenceEnd)) {
            Sized item = node(depth + 1);
            items.add(item.node);
            size += item.size;
        }
        events.getEvent();
        return new Sized(new SyntaxNode.Sequence(items, at), size);
    }

    private void checkCollection(@Nullable String tag, Tag usual, Position at, int depth) {
        if (depth > SyntaxTree.MAX_DEPTH) {
            throw Refusal.tooDeep(at);
        }
        if (tag != null && !tag.equals("!") && !tag.equals(usual.getValue())) {
            reportTag(tag, at);
        }
    }

    private SyntaxNode scalar(ScalarEvent event, Position at) {
        @Nullable String written = event.getTag();
        boolean explicit = written != null && !written.equals("!");
        Tag tag = explicit
                ? new Tag(written)
                : resolver.resolve(
                        NodeId.scalar, event.getValue(), event.getImplicit().canOmitTagInPlainScalar());
        if (explicit && !KINDS.containsKey(tag)) {
            reportTag(tag.getValue(), at);
        }
        // !!str makes a plain scalar what quotes make it
        Style style = explicit && tag.equals(Tag.STR) ? Style.DOUBLE_QUOTED : style(event);
        return new SyntaxNode.Scalar(event.getValue(), style, KINDS.getOrDefault(tag, SyntaxNode.Kind.STRING), at);
    }

    /** Time stamps, {@code <<} and {@code =} resolve to tags of their own, but are just texts here. */
    private static final Map<Tag, SyntaxNode.Kind> KINDS = Map.of(
            Tag.STR, SyntaxNode.Kind.STRING,
            Tag.BOOL, SyntaxNode.Kind.BOOL,
            Tag.INT, SyntaxNode.Kind.INT,
            Tag.FLOAT, SyntaxNode.Kind.FLOAT,
            Tag.NULL, SyntaxNode.Kind.NULL);

    private static Style style(ScalarEvent event) {
        return switch (event.getScalarStyle()) {
            case DOUBLE_QUOTED, JSON_SCALAR_STYLE -> Style.DOUBLE_QUOTED;
            case SINGLE_QUOTED -> Style.SINGLE_QUOTED;
            case LITERAL -> Style.LITERAL;
            case FOLDED -> Style.FOLDED;
            case PLAIN -> Style.PLAIN;
        };
    }

    private void reportTag(String tag, Position at) {
        String shown = tag.startsWith(Tag.PREFIX) ? "!!" + tag.substring(Tag.PREFIX.length()) : tag;
        findings.add(
                ProblemCode.YAML_TAG,
                at,
                "",
                "the tag " + Quoted.of(shown) + " has no meaning here",
                "remove the tag and write the value itself");
    }
}
