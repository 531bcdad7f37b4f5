package net.ipmasq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.lab.FlowLab;
import net.ipmasq.lab.FlowLab.Pace;
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
    static final int[] SIZES = {0, 5, 64, 512, 4096, 16_384};
    private static final int MOST = SIZES[SIZES.length - 1];

    /** Between the entries, all over the range of the longest list, the same for every size. */
    private static final Targets NO_MATCH = new Targets(IpAddress.of("10.0.0.200"), 256, MOST);

    private final int flows;
    private final FlowLab plain = FlowLab.create();
    private final Map<FlowBackend.On, FlowLab> labs = new LinkedHashMap<>();
    private final FlowResults results = new FlowResults();

    FlowBench(int flows) {
        this.flows = flows;
        for (FlowBackend backend : FlowBackend.values()) {
            FlowLab lab = FlowLab.create();
            labs.put(backend.on(lab.node()), lab);
        }
    }

    /** {@code [MOST_ENTRIES] [--svg [FILE]]}. */
    public static void main(String[] args) throws IOException {
        List<String> words = Arrays.asList(args);
        int svg = words.contains("--svg") ? words.indexOf("--svg") : words.size();
        int most = svg > 0 ? Integer.parseInt(words.getFirst()) : MOST;
        try (FlowBench bench = new FlowBench(4000)) {
            FlowResults results = bench.run(most, 9);
            System.out.println(results.flows());
            System.out.print(results.writes());
            if (svg < words.size()) {
                Path file = Path.of(svg + 1 < words.size() ? words.get(svg + 1) : "docs/flows.svg");
                Files.writeString(file, results.plot());
                System.out.println("\nwritten: " + file);
            }
        }
    }

    /** All sizes up to {@code most}, as often as {@code rounds} says. */
    FlowResults run(int most, int rounds) {
        warmUp();
        for (int round = 0; round < rounds; round++) {
            results.forwarding(
                    demand(plain, NO_MATCH, false).micros(), cold(plain, false).micros());
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
            backend.read();
            backend.write(rules(1));
            demand(lab, NO_MATCH, true);
            backend.empty();
        });
    }

    private void measure(FlowBackend.On backend, FlowLab lab, int size) {
        FlowSamples samples = results.of(backend.backend(), size);
        write(backend, rules(size), samples.loads());
        samples.noMatch(demand(lab, NO_MATCH, true));
        samples.cold(cold(lab, true));
        if (size > 0) {
            IpAddress inLast = entry(size - 1).network();
            samples.lastMatch(demand(lab, new Targets(inLast, 1, 64), false));
        }
        write(backend, rules(size, Cidr.of("203.0.113.7/32")), samples.updates());
        backend.empty();
    }

    private static void write(FlowBackend.On backend, FamilyRules rules, FlowSamples.Writes writes) {
        long start = System.nanoTime();
        backend.read();
        writes.read(millisSince(start));
        double cpu = CpuTime.childrenMillis();
        start = System.nanoTime();
        int bytes = backend.write(rules);
        writes.wrote(millisSince(start), CpuTime.childrenMillis() - cpu, bytes);
    }

    private static double millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e6;
    }

    /** A time is valid only if every flow arrived as the rules want it. */
    private static Round demand(Round round, boolean masqueraded) {
        if ((masqueraded ? round.asNode() : round.asPod()) != round.flows()) {
            throw new IllegalStateException("not all flows arrived with the right address: " + round);
        }
        return round;
    }

    private Round demand(FlowLab lab, Targets targets, boolean masqueraded) {
        return demand(lab.send(flows, targets, Pace.HOT), masqueraded);
    }

    /** Fewer, since the time between them is long. */
    private Round cold(FlowLab lab, boolean masqueraded) {
        return demand(lab.send(flows / 10, NO_MATCH, Pace.COLD), masqueraded);
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
        return new FamilyRules.Listed(FlowBackend.On.CHAIN, rules);
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
