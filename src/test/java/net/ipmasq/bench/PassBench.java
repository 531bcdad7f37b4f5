package net.ipmasq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.IptablesRenderer;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.RulesetGeneration;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.rules.FamilyRules;

/**
 * Cost of a pass against one cycle of the classic loop, in the namespace that this process runs in. The classic loop is
 * replayed with the plain tools: ensure the chain, ensure the jump, restore the whole chain, for both families.
 */
public final class PassBench {
    private static final int[] SIZES = {5, 64, 1024, 16_384};

    private final Variant variant;
    private final AtomicInteger execs = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final CommandRunner plain = new SystemCommandRunner(System.getenv("PATH"));

    private final String backend;

    private PassBench(String backend) {
        this.backend = backend;
        // the classic loop knows iptables only
        this.variant = backend.equals("legacy") ? Variant.LEGACY : Variant.NFT;
    }

    private Dataplane dataplane() {
        return backend.equals("nftables")
                ? new NftablesDataplane(counting(), new SystemNodeFiles())
                : new IptablesDataplane(counting(), new SystemNodeFiles(), Optional.of(variant));
    }

    /** Means per cycle; CPU is of this process and its children together. */
    private record Cost(double wallMillis, double cpuMillis, double execs, double bytes) {}

    public static void main(String[] args) throws IOException {
        PassBench bench = new PassBench(args[0]);
        int most = args.length > 1 ? Integer.parseInt(args[1]) : Integer.MAX_VALUE;
        for (int size : SIZES) {
            if (size <= most) {
                bench.size(size);
            }
        }
    }

    private CommandRunner counting() {
        return new CommandRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                execs.incrementAndGet();
                bytes.addAndGet(stdin.length());
                return plain.run(argv, stdin, limit);
            }

            @Override
            public <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
                execs.incrementAndGet();
                return plain.stream(argv, limit, reading);
            }

            @Override
            public boolean has(String program) {
                return plain.has(program);
            }
        };
    }

    private void size(int size) throws IOException {
        int cycles = size > 5000 ? 6 : 30;
        Path state = Files.createTempDirectory("ip-masq-bench");
        String[] text = {config(size, 0)};
        Dataplane dataplane = dataplane();
        Reconciler agent = agent(dataplane, text, state);
        measure(2, i -> pass(agent));
        Cost inSync = measure(cycles, i -> pass(agent));
        Cost changed = measure(cycles, i -> {
            text[0] = config(size, i % 2 + 1);
            pass(agent);
        });
        text[0] = config(size, 0);
        pass(agent);
        List<String> payloads = payloads(size);
        // the first makes what later ones find
        measure(2, i -> classic(payloads));
        Cost classic = measure(cycles, i -> classic(payloads));
        if (backend.equals("nftables")) {
            // else what follows would also look at the classic agent's chain
            new IptablesDataplane(plain, new SystemNodeFiles(), Optional.of(variant))
                    .remove("IP-MASQ-AGENT", EnumSet.allOf(IpFamily.class));
        }
        row(size, "in sync", inSync, classic);
        row(size, "one entry changed", changed, classic);
        if (variant == Variant.NFT) {
            byGeneration(size, dataplane, text, state, classic);
        }
        row(size, "classic loop, every cycle", classic, classic);
        Files.deleteIfExists(state.resolve("last-good.json"));
        Files.deleteIfExists(state);
    }

    private static Reconciler agent(Dataplane dataplane, String[] text, Path state) {
        return new Reconciler(
                dataplane,
                new TextSource(text),
                BuiltInProfiles.profile("cce").orElseThrow(),
                new StateStore(state),
                Clock.systemUTC(),
                Clock.systemUTC().instant());
    }

    /** What the service does where the kernel tells its generation. */
    private void byGeneration(int size, Dataplane dataplane, String[] text, Path state, Cost classic)
            throws IOException {
        CachingDataplane gate = new CachingDataplane(dataplane, Duration.ofMinutes(10), Clock.systemUTC());
        try (RulesetGeneration generation = RulesetGeneration.open()) {
            gate.use(generation::current);
            text[0] = config(size, 0);
            Reconciler agent = agent(gate, text, state);
            measure(2, i -> pass(agent));
            // many, since one is far below a tick
            row(size, "in sync, by generation", measure(size > 5000 ? 50 : 500, i -> pass(agent)), classic);
            Cost changed = measure(size > 5000 ? 6 : 30, i -> {
                text[0] = config(size, i % 2 + 1);
                pass(agent);
            });
            row(size, "one entry changed, by gen.", changed, classic);
        }
    }

    private static void pass(Reconciler agent) {
        if (!agent.pass().inSync()) {
            throw new IllegalStateException("a pass did not end in sync");
        }
    }

    /** Both families hold about {@code size} entries together; {@code change} adds one. */
    private static String config(int size, int change) {
        StringBuilder text = new StringBuilder("cidrLimit: 100000\nnonMasqueradeCIDRs:\n");
        entries(size).forEach(cidr -> text.append("- ").append(cidr).append('\n'));
        if (change > 0) {
            text.append("- 203.0.113.").append(change).append("/32\n");
        }
        return text.toString();
    }

    private static List<String> entries(int size) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            boolean v4 = i % 5 != 4;
            entries.add(
                    v4
                            ? "10." + (i >>> 8 & 255) + "." + (i & 255) + ".0/24"
                            : "fd00:" + Integer.toHexString(i + 1) + "::/32");
        }
        return entries;
    }

    private List<String> payloads(int size) {
        List<String> payloads = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            List<net.ipmasq.rules.Rule> rules = new ArrayList<>();
            entries(size).stream()
                    .map(net.ipmasq.net.Cidr::of)
                    .filter(cidr -> cidr.family() == family)
                    .forEach(cidr -> rules.add(new net.ipmasq.rules.Rule.Exempt(cidr)));
            rules.add(new net.ipmasq.rules.Rule.MasqueradeRest(Optional.empty(), false));
            String all = IptablesRenderer.render(new FamilyRules.Listed("IP-MASQ-AGENT", rules));
            payloads.add(all.lines()
                    .filter(line -> !line.startsWith("-A POSTROUTING"))
                    .reduce("", (a, b) -> a + b + "\n"));
        }
        return payloads;
    }

    private void classic(List<String> payloads) {
        CommandRunner runner = counting();
        for (IpFamily family : IpFamily.values()) {
            String tool = (family == IpFamily.IPV4 ? "iptables-" : "ip6tables-")
                    + (variant == Variant.NFT ? "nft" : "legacy");
            String jump = IptablesRenderer.jump("IP-MASQ-AGENT");
            run(runner, List.of(tool, "-w", "-t", "nat", "-N", "IP-MASQ-AGENT"), "");
            List<String> check = new ArrayList<>(
                    List.of(tool, "-w", "-t", "nat", "-C", "POSTROUTING", "-m", "comment", "--comment"));
            check.add(jump.substring(jump.indexOf('"') + 1, jump.lastIndexOf('"')));
            check.addAll(List.of("-m", "addrtype", "!", "--dst-type", "LOCAL", "-j", "IP-MASQ-AGENT"));
            if (!run(runner, check, "")) {
                check.set(check.indexOf("-C"), "-A");
                run(runner, check, "");
            }
            run(runner, List.of(tool + "-restore", "--noflush"), payloads.get(family.ordinal()));
        }
    }

    /** Whether it exited with 0. Other codes are allowed only for a chain that exists already and a jump that is missing. */
    private static boolean run(CommandRunner runner, List<String> argv, String stdin) {
        CommandRunner.Outcome outcome = runner.run(argv, stdin, Duration.ofMinutes(1));
        boolean mayFail = argv.contains("-N") || argv.contains("-C");
        if (!(outcome instanceof CommandRunner.Exited exited) || exited.code() != 0 && !mayFail) {
            throw new IllegalStateException(argv + ": " + outcome);
        }
        return exited.code() == 0;
    }

    private Cost measure(int cycles, IntConsumer work) {
        execs.set(0);
        bytes.set(0);
        double cpu = CpuTime.totalMillis();
        long wall = System.nanoTime();
        for (int i = 0; i < cycles; i++) {
            work.accept(i);
        }
        double took = (System.nanoTime() - wall) / 1e6;
        return new Cost(
                took / cycles,
                (CpuTime.totalMillis() - cpu) / cycles,
                execs.get() / (double) cycles,
                bytes.get() / (double) cycles);
    }

    private void row(int size, String what, Cost cost, Cost classic) {
        System.out.printf(
                Locale.ROOT,
                "%-8s %7d  %-26s %9.1f %9.1f %6.1f %11.0f   %6.2f %6.3f%n",
                backend,
                size,
                what,
                cost.wallMillis(),
                cost.cpuMillis(),
                cost.execs(),
                cost.bytes(),
                cost.wallMillis() / classic.wallMillis(),
                cost.cpuMillis() / classic.cpuMillis());
    }

    /** A configuration that the bench changes. */
    private record TextSource(String[] text) implements ConfigSource {
        @Override
        public SourceReading<Content> read() {
            return new SourceReading.Present<>(new Text(text[0].getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }

        @Override
        public String where() {
            return "the bench";
        }
    }
}
