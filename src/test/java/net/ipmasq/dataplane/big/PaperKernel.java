package net.ipmasq.dataplane.big;

import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.lab.LineReader;

/** A node that holds any number of rules of others without holding their text, and what the agent has written. */
final class PaperKernel implements CommandRunner, NodeFiles {
    private final ForeignRules foreign;
    private final Map<String, List<String>> written = new ConcurrentHashMap<>();

    PaperKernel(ForeignRules foreign) {
        this.foreign = foreign;
    }

    @Override
    public boolean has(String program) {
        return program.equals("nft") || program.matches("ip6?tables-nft-(save|restore)");
    }

    @Override
    public Optional<String> read(String path) {
        return switch (path) {
            case "/proc/self/status" -> Optional.of("CapEff:\t000001ffffffffff\n");
            case "/proc/net/if_inet6" -> Optional.of("");
            default -> Optional.empty();
        };
    }

    @Override
    public Outcome run(List<String> argv, String stdin, Duration limit) {
        if (argv.getFirst().endsWith("-restore")) {
            written.put(family(argv), stdin.lines().toList());
        }
        return new Exited(0, argv.contains("--version") ? "nftables v1.0.6 (Lester Gooch #5)\n" : "", "");
    }

    private static String family(List<String> argv) {
        return argv.getFirst().substring(0, argv.getFirst().indexOf('-'));
    }

    private Stream<String> own(List<String> argv, String start) {
        return written.getOrDefault(family(argv), List.of()).stream().filter(line -> line.startsWith(start));
    }

    @Override
    public <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
        Supplier<Stream<String>> lines = answer(argv);
        if (lines == null) {
            return new Streamed<>(
                    new Exited(1, "", "Error: No such file or directory\n"), Optional.of(read(reading, Stream.of())));
        }
        return new Streamed<>(new Exited(0, "", ""), Optional.of(read(reading, lines.get())));
    }

    private static <T> T read(Reading<T> reading, Stream<String> lines) {
        try (Reader reader = new LineReader(lines)) {
            return reading.read(reader);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private @org.jspecify.annotations.Nullable Supplier<Stream<String>> answer(List<String> argv) {
        String line = String.join(" ", argv);
        if (argv.getFirst().endsWith("-save")) {
            return () -> save(argv);
        }
        if (line.endsWith("list chains")) {
            return () -> Stream.of(
                    "{\"nftables\": [{\"chain\": {\"family\": \"ip\", \"table\": \"other\", \"name\": \"post\","
                            + " \"handle\": 1, \"type\": \"nat\", \"hook\": \"postrouting\", \"prio\": 100}}]}");
        }
        if (line.endsWith("list chain ip other post")) {
            return foreign::nftBase;
        }
        if (line.endsWith("list table ip other")) {
            return foreign::nftTable;
        }
        if (line.endsWith("-j -s list table ip ip-masq-agent")) {
            return foreign::jsonOfOurTable;
        }
        return null;
    }

    private Stream<String> save(List<String> argv) {
        return ForeignRules.inOrder(
                Stream.of("*nat", ":POSTROUTING ACCEPT [0:0]"),
                foreign.saveChains(),
                own(argv, ":"),
                own(argv, "-A POSTROUTING"),
                foreign.saveBase(),
                foreign.saveOthers(),
                own(argv, "-A IP-MASQ-AGENT"),
                Stream.of("COMMIT"));
    }
}
