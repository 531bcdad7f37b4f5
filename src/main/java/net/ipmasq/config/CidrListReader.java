package net.ipmasq.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;

/** Reads a list of CIDRs, judging every item. */
public final class CidrListReader {
    private final Findings findings;

    public CidrListReader(Findings findings) {
        this.findings = findings;
    }

    /** The good items in text order, each CIDR once; a null value is an empty list; empty if it is no list. */
    public Optional<List<Item>> read(Known key) {
        return switch (key.value()) {
            case SyntaxNode.Sequence list -> Optional.of(items(key, list));
            case SyntaxNode.Scalar scalar when scalar.isNull() -> Optional.of(List.of());
            case SyntaxNode.Scalar scalar -> {
                findings.add(
                        ProblemCode.LIST_EXPECTED,
                        scalar.at(),
                        key.path(),
                        Quoted.naming(scalar.text()) + " is " + scalar.label() + "; a list of CIDRs belongs here",
                        "write " + key.key() + ": [" + asItems(scalar.text()) + "]");
                yield Optional.empty();
            }
            case SyntaxNode.Mapping mapping -> {
                findings.add(
                        ProblemCode.LIST_EXPECTED,
                        mapping.at(),
                        key.path(),
                        "this is a mapping; a list of CIDRs belongs here",
                        "start each line with '- ' and a CIDR, such as '- 10.0.0.0/8'");
                yield Optional.empty();
            }
        };
    }

    /** What the writer of a text with commas, spaces or dashes meant, when it is short enough to show. */
    private static String asItems(String text) {
        List<String> parts = Arrays.stream(text.length() > 200 ? new String[0] : text.split("[,;\\s\\[\\]\"']+"))
                .map(part -> part.replaceFirst("^-+", ""))
                .filter(part -> !part.isEmpty())
                .toList();
        boolean allGood =
                !parts.isEmpty() && parts.stream().allMatch(p -> CidrSyntax.parse(p) instanceof CidrSyntax.Good);
        return allGood
                ? parts.stream().map(part -> "\"" + part + "\"").collect(Collectors.joining(", "))
                : "\"10.0.0.0/8\"";
    }

    private List<Item> items(Known key, SyntaxNode.Sequence list) {
        Map<Cidr, Item> kept = new LinkedHashMap<>();
        int index = 0;
        for (SyntaxNode node : list.items()) {
            String path = key.path() + "[" + index + "]";
            Optional<Cidr> cidr = cidr(path, node, index);
            if (cidr.isPresent()) {
                Item item = new Item(cidr.get(), index, node.at());
                @Nullable Item first = kept.putIfAbsent(item.cidr(), item);
                if (first != null) {
                    reportDuplicate(path, item, first);
                }
            }
            index++;
        }
        return List.copyOf(kept.values());
    }

    private Optional<Cidr> cidr(String path, SyntaxNode node, int index) {
        if (!(node instanceof SyntaxNode.Scalar scalar) || scalar.kind() != SyntaxNode.Kind.STRING) {
            reportNoText(path, node, index);
            return Optional.empty();
        }
        Optional<Cidr> valid = CidrSyntax.good(scalar.text());
        if (valid.isPresent() || findings.onlyCounts(ProblemCode.CIDR_INVALID, scalar.at())) {
            return valid;
        }
        return switch (CidrSyntax.parse(scalar.text())) {
            case CidrSyntax.Good good -> Optional.of(good.cidr());
            case CidrSyntax.Bad bad -> {
                findings.add(ProblemCode.of(bad.code()), scalar.at(), path, bad.message(), bad.fix());
                yield Optional.empty();
            }
        };
    }

    private void reportNoText(String path, SyntaxNode node, int index) {
        if (findings.onlyCounts(ProblemCode.ITEM_NOT_STRING, node.at())) {
            return;
        }
        String where = "item " + (index + 1) + " (line " + node.at().line() + ")";
        if (node.isNull()) {
            findings.add(
                    ProblemCode.ITEM_NULL,
                    node.at(),
                    path,
                    where + " has no value",
                    "remove the line, or write a CIDR after the '-'; a template probably rendered nothing here");
            return;
        }
        String fix = switch (node) {
            case SyntaxNode.Scalar scalar -> "write a CIDR such as 10.0.0.0/8, or remove the item";
            case SyntaxNode.Sequence sequence -> "remove the extra '-' or brackets; all CIDRs go into one list";
            case SyntaxNode.Mapping mapping -> "write the CIDR alone, without a key or a colon after it";
        };
        String shown = node instanceof SyntaxNode.Scalar scalar ? Quoted.of(scalar.text()) + ", " : "";
        findings.add(
                ProblemCode.ITEM_NOT_STRING,
                node.at(),
                path,
                where + " is " + shown + node.label() + ", not a CIDR",
                fix);
    }

    private void reportDuplicate(String path, Item item, Item first) {
        if (findings.onlyCounts(ProblemCode.DUPLICATE_ITEM, item.at())) {
            return;
        }
        findings.add(
                ProblemCode.DUPLICATE_ITEM,
                item.at(),
                path,
                item.cidr() + " is already item " + (first.index() + 1) + " (line "
                        + first.at().line() + "); it is kept once",
                "remove this item");
    }
}
