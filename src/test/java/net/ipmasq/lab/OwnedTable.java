package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An nft table with the flag {@code owner}: only the program that made it can change it, and it goes with the program. */
public final class OwnedTable implements AutoCloseable {
    private final NetNs ns;
    private final String table;
    private final Process nft;

    private OwnedTable(NetNs ns, String table, Process nft) {
        this.ns = ns;
        this.table = table;
        this.nft = nft;
    }

    /** Makes one, for example {@code ip ip-masq-agent}, and returns when it is there. */
    public static OwnedTable create(NetNs ns, String table) {
        try {
            Process nft = new ProcessBuilder(ns.enter(List.of("nft", "-i")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            OwnedTable owned = new OwnedTable(ns, table, nft);
            // closing it would end the program
            Writer in = nft.outputWriter(StandardCharsets.UTF_8);
            in.write("add table " + table + " { flags owner; }\n");
            in.flush();
            Eventually.holds("a table with an owner", owned::tables, owned::isAmong);
            return owned;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String tables() {
        return ns.run("nft", "list", "tables");
    }

    private boolean isAmong(String tables) {
        return tables.lines().anyMatch(("table " + table)::equals);
    }

    @Override
    public void close() {
        nft.destroy();
        try {
            if (!nft.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nft does not end: pid " + nft.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Eventually.holds("the table gone with its owner", this::tables, tables -> !isAmong(tables));
    }
}
