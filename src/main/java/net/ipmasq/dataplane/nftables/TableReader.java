package net.ipmasq.dataplane.nftables;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.Outcome;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.IpFamily;

/** Reads our table with {@code nft}. */
final class TableReader {
    private static final String OWNED =
            "it has the flag 'owner', so only the running program that made it can change it";

    private final Tool tool;

    TableReader(Tool tool) {
        this.tool = tool;
    }

    /** How reading went. */
    sealed interface Reading {}

    record Broken(Failure failure) implements Reading {}

    record NoTable() implements Reading {}

    record Table(TableView view) implements Reading {}

    /** Reads our table of one family, looking for this chain in it. */
    Reading read(String chain, IpFamily family, boolean counters) {
        Outcome outcome = tool.listJson(counters, "table", Names.family(family), Names.TABLE);
        if (Tool.isAbsent(outcome)) {
            return new NoTable();
        }
        Optional<Failure> failure = Tool.failure(outcome);
        if (failure.isPresent()) {
            return failure.get().code() == FailureCode.REJECTED
                    ? flagged(chain, family, failure.get().message())
                    : new Broken(failure.get());
        }
        String listing = outcome instanceof Exited exited ? exited.stdout() : "";
        return switch (Parser.parse(listing, family, chain, texts(family))) {
            case Parser.NotUnderstood not -> flagged(chain, family, not.why());
            case Parser.Understood(TableView table)
            when !table.unflagged() -> flagged(chain, family, "it has flags that nft does not name");
            case Parser.Understood(TableView table) -> new Table(table);
        };
    }

    /**
     * A table with flags, which ours has not. By the text: for such a table nft 1.0.6 prints JSON that is wrong, or ends
     * in the middle.
     */
    private Reading flagged(String chain, IpFamily family, String otherwise) {
        String text = tool.listText("table", Names.family(family), Names.TABLE) instanceof Exited exited
                ? exited.stdout()
                : "";
        String flags = text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("flags "))
                .findFirst()
                .orElse("");
        if (flags.contains("owner")) {
            return new Broken(unreadable(OWNED, family));
        }
        return flags.equals("flags dormant")
                ? new Table(TableView.asleep(chain, text))
                : new Broken(unreadable(otherwise, family));
    }

    private static Failure unreadable(String why, IpFamily family) {
        return new Failure(
                FailureCode.UNREADABLE,
                "the table " + Names.table(family) + " cannot be read (" + why + "), so nothing is written",
                "'nft list table " + Names.table(family) + "' shows it, and the name of the program that owns it; end"
                        + " that program or delete the table");
    }

    /** Texts of rules by handle, from one listing that is only made when the first text is asked for. */
    private LongFunction<String> texts(IpFamily family) {
        Map<Long, String> known = new HashMap<>();
        return handle -> {
            if (known.isEmpty() && tool.listText("table", Names.family(family), Names.TABLE) instanceof Exited exited) {
                RuleTexts.of(exited.stdout()).forEach(rule -> known.put(rule.handle(), rule.text()));
            }
            return known.getOrDefault(handle, "rule with handle " + handle);
        };
    }
}
