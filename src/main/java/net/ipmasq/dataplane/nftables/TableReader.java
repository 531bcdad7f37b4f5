package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.IpFamily;

final class TableReader {
    private static final String OWNED =
            "it has the flag 'owner', so only the running program that made it can change it";

    private static final int MOST_TEXTS = 2_000;
    private static final int MOST_TEXT = 1_024;

    private final NftTool tool;

    TableReader(NftTool tool) {
        this.tool = tool;
    }

    sealed interface Reading {}

    record Broken(Failure failure) implements Reading {}

    record NoTable() implements Reading {}

    record Table(TableView view) implements Reading {}

    /** Reads our table of one family, looking for this chain in it. */
    Reading read(String chain, IpFamily family, boolean counters) {
        Streamed<NftParser.Result> read = tool.listJson(
                counters,
                listing -> NftParser.parse(listing, family, chain, texts(family, chain)),
                "table",
                NftNames.family(family),
                NftNames.TABLE);
        if (NftTool.isAbsent(read.outcome())) {
            return new NoTable();
        }
        Optional<Failure> failure = NftTool.failure(read.outcome());
        if (failure.isPresent()) {
            return failure.get().code() == FailureCode.REJECTED
                    ? flagged(chain, family, failure.get().message())
                    : new Broken(failure.get());
        }
        return switch (read.value().orElseThrow()) {
            case NftParser.NotUnderstood not -> flagged(chain, family, not.why());
            case NftParser.Understood(TableView table)
            when !table.unflagged() -> flagged(chain, family, "it has flags that nft does not name");
            case NftParser.Understood(TableView table) -> new Table(table);
        };
    }

    /**
     * A table with flags; ours has none. Read as text: for such a table nft 1.0.6 prints JSON that is wrong or cut off.
     */
    private Reading flagged(String chain, IpFamily family, String otherwise) {
        AtomicReference<String> flags = new AtomicReference<>("");
        AtomicBoolean strangers = new AtomicBoolean();
        tool.listText(
                listing -> {
                    RuleTexts.read(
                            listing, flags::set, rule -> strangers.compareAndSet(false, isStranger(rule, chain)));
                    return true;
                },
                "table",
                NftNames.family(family),
                NftNames.TABLE);
        String words = Objects.requireNonNullElse(flags.get(), "");
        if (words.contains("owner")) {
            return new Broken(unreadable(OWNED, family));
        }
        return words.equals("flags dormant")
                ? new Table(TableView.asleep(chain, strangers.get()))
                : new Broken(unreadable(otherwise, family));
    }

    private static boolean isStranger(RuleTexts.RuleText rule, String chain) {
        return !rule.chain().equals(chain) && !rule.text().contains("comment \"" + NftNames.OWN);
    }

    private static Failure unreadable(String why, IpFamily family) {
        return new Failure(
                FailureCode.UNREADABLE,
                "the table " + NftNames.table(family) + " cannot be read (" + why + "), so nothing is written",
                "'nft list table " + NftNames.table(family)
                        + "' shows it, and the name of the program that owns it; end"
                        + " that program or delete the table");
    }

    /** Texts of rules by handle, from one listing that is only made when the first text is asked for. */
    private LongFunction<String> texts(IpFamily family, String chain) {
        Map<Long, String> known = new HashMap<>();
        AtomicBoolean asked = new AtomicBoolean();
        return handle -> {
            if (!asked.getAndSet(true)) {
                tool.listText(
                        listing -> texts(listing, chain, known), "table", NftNames.family(family), NftNames.TABLE);
            }
            return known.getOrDefault(handle, "rule with handle " + handle);
        };
    }

    /** Of other chains only rules that name ours can be asked for. */
    private static Map<Long, String> texts(Reader listing, String chain, Map<Long, String> known) throws IOException {
        RuleTexts.read(listing, flags -> {}, rule -> {
            boolean near = rule.chain().equals(chain) || rule.chain().equals(NftNames.BASE);
            if ((near || rule.text().contains(chain)) && known.size() < MOST_TEXTS) {
                String text = rule.text();
                known.put(rule.handle(), text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) + "..." : text);
            }
        });
        return known;
    }
}
