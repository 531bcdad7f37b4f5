package net.ipmasq.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The merge keys ({@code <<}) of one mapping, as YAML 1.1 has them: a key of a merged mapping applies where the mapping
 * itself does not have that key; of a list of mappings, the earlier one wins. Keys match in any case, as everywhere here.
 * A key that one merged mapping holds twice stays twice, for the reader to report.
 */
final class MergeKeys {
    private final Findings findings;
    private final List<SyntaxNode.Mapping> sources = new ArrayList<>();
    private boolean seen;

    MergeKeys(Findings findings) {
        this.findings = findings;
    }

    /** SnakeYAML and Go agree that {@code "<<"} in quotes is a key like any other. */
    static boolean isOne(ScalarEvent key) {
        boolean plain = key.getTag() == null && key.getImplicit().canOmitTagInPlainScalar();
        return key.getValue().equals("<<") && (plain || Tag.MERGE.getValue().equals(key.getTag()));
    }

    void add(Position key, SyntaxNode value) {
        if (seen) {
            findings.add(
                    ProblemCode.DUPLICATE_KEY,
                    key,
                    "",
                    "the mapping has the merge key << a second time here",
                    "merge several mappings under one key: <<: [*first, *second]");
        }
        seen = true;
        switch (value) {
            case SyntaxNode.Mapping mapping -> sources.add(mapping);
            case SyntaxNode.Sequence list -> list.items().forEach(this::addItem);
            case SyntaxNode.Scalar scalar -> refuse(scalar);
        }
    }

    private void addItem(SyntaxNode item) {
        if (item instanceof SyntaxNode.Mapping mapping) {
            sources.add(mapping);
        } else {
            refuse(item);
        }
    }

    private void refuse(SyntaxNode value) {
        if (!findings.onlyCounts(ProblemCode.YAML_MERGE, value.at())) {
            findings.add(
                    ProblemCode.YAML_MERGE,
                    value.at(),
                    "",
                    value.label() + " cannot be merged by <<; a mapping or a list of mappings can",
                    "write <<: *name with the anchor &name at a mapping, or write the keys out");
        }
    }

    /** The entries that the mapping has itself, and those that it gets. */
    List<SyntaxNode.Entry> merged(List<SyntaxNode.Entry> own) {
        if (sources.isEmpty()) {
            return own;
        }
        List<SyntaxNode.Entry> all = new ArrayList<>(own);
        Set<String> taken = keys(own);
        for (SyntaxNode.Mapping source : sources) {
            source.entries().stream()
                    .filter(entry -> key(entry).filter(taken::contains).isEmpty())
                    .forEach(all::add);
            taken.addAll(keys(source.entries()));
        }
        return all;
    }

    private static Set<String> keys(List<SyntaxNode.Entry> entries) {
        return entries.stream().flatMap(entry -> key(entry).stream()).collect(Collectors.toCollection(HashSet::new));
    }

    private static Optional<String> key(SyntaxNode.Entry entry) {
        return entry.key().asText().map(text -> text.toLowerCase(Locale.ROOT));
    }
}
