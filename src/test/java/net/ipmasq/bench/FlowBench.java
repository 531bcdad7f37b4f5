package net.ipmasq.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.lab.FlowLab;
import net.ipmasq.lab.FlowLab.Round;
import net.ipmasq.lab.FlowLab.Targets;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;

/**
 * Cost of a new flow by backend and length of the list, and of loading and changing the list. Every round goes through
 * all sizes and backends, each backend in a lab of its own, so that they are compared under the same conditions.
 */
public final class FlowBench implements AutoCloseable {
    static final List<String> BACKENDS = List.of("iptables-nft", "iptables-legacy", "nftables");
    static final int[] SIZES = {0, 5, 64, 512, 4096, 16_384};
    private static final int MOST = SIZES[SIZES.length - 1];
    private static final String CHAIN = "IP-MASQ-AGENT";

    /** Between the entries, all over the range of the longest list, the same for every size. */
    private static final Targets NO_MATCH = new Targets(IpAddress.of("10.0.0.200"), 256, MOST);

    private final int flows;
    private final FlowLab plain = FlowLab.create();
    private final Map<FlowBackend, FlowLab> labs = new LinkedHashMap<>();
    private final FlowResults results = new FlowResults();

    FlowBench(int flows) {
        this.flows = flows;
        for (String name : BACKENDS) {
            FlowLab lab = FlowLab.create();
            labs.put(FlowBackend.of(name, lab.node()), lab);
        }
    }

    /** {@code [MOST_ENTRIES] [--svg FILE]}. */
    public static void main(String[] args) throws IOException {
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        int svg = rest.indexOf("--svg");
        Optional<Path> file = svg < 0 ? Optional.empty() : Optional.of(Path.of(rest.get(svg + 1)));
        if (svg >= 0) {
            rest.subList(svg, svg + 2).clear();
        }
        int most = rest.isEmpty() ? MOST : Integer.parseInt(rest.getFirst());
        try (FlowBench bench = new FlowBench(4000)) {
            bench.run(most, 9);
            System.out.print(bench.results.table());
            if (file.isPresent()) {
                Files.writeString(file.get(), bench.results.plot());
                System.out.println("\nwritten: " + file.get());
            }
        }
    }

    /** All sizes up to {@code most}, as often as {@code rounds} says. */
    FlowResults run(int most, int rounds) {
        warmUp();
        for (int round = 0; round < rounds; round++) {
            results.forwarding(demand(plain, NO_MATCH, false).micros());
            for (int size : SIZES) {
                if (size <= most) {
                    labs.forEach((backend, lab) -> measure(backend, lab, size));
                }
            }
        }
        return results;
    }

    /** The senders' code compiled, addresses of neighbours known, kernel modules loaded. */
    private void warmUp() {
        demand(plain, NO_MATCH, false);
        labs.forEach((backend, lab) -> {
            demand(lab, NO_MATCH, false);
            backend.write(backend.load(rules(1)));
            demand(lab, NO_MATCH, true);
            backend.empty();
        });
    }

    private void measure(FlowBackend backend, FlowLab lab, int size) {
        FlowSamples samples = results.of(backend.name(), size);
        FamilyRules rules = rules(size);
        write(backend, backend.load(rules), samples.loads());
        samples.noMatch(demand(lab, NO_MATCH, true));
        if (size > 0) {
            IpAddress inLast = entry(size - 1).network();
            samples.lastMatch(demand(lab, new Targets(inLast, 1, 64), false));
        }
        FamilyRules longer = rules(size, Cidr.of("203.0.113.7/32"));
        write(backend, backend.update(rules, longer), samples.updates());
        backend.empty();
    }

    private static void write(FlowBackend backend, String text, FlowSamples.Writes writes) {
        double cpu = CpuTime.childrenMillis();
        long start = System.nanoTime();
        backend.write(text);
        double wall = (System.nanoTime() - start) / 1e6;
        writes.add(wall, CpuTime.childrenMillis() - cpu, text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** A time counts only if every flow arrived as the rules want it. */
    private Round demand(FlowLab lab, Targets targets, boolean masqueraded) {
        Round round = lab.send(flows, targets);
        if ((masqueraded ? round.asNode() : round.asPod()) != flows) {
            throw new IllegalStateException("not all flows arrived with the right address: " + round);
        }
        return round;
    }

    private static FamilyRules rules(int size, Cidr... more) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            rules.add(new Rule.Exempt(entry(i)));
        }
        for (Cidr cidr : more) {
            rules.add(new Rule.Exempt(cidr));
        }
        rules.add(new Rule.MasqueradeRest(Optional.empty(), false));
        return new FamilyRules(CHAIN, rules);
    }

    /** Every other /25, so that no two can be written as one. */
    private static Cidr entry(int i) {
        return Cidr.of("10." + (i >>> 8) + "." + (i & 255) + ".0/25");
    }

    @Override
    public void close() {
        plain.close();
        labs.values().forEach(FlowLab::close);
    }
}
