package net.ipmasq.dataplane.big;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.Heartbeat;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.app.Assembly;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedHeap;
import net.ipmasq.net.IpFamily;
import net.ipmasq.observe.KernelCounters;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link ManyRulesTest} with the real tools and kernel. Fewer rules: loading 300,000 takes seconds, but the kernel's time
 * to list them grows with their square, to half a minute.
 */
@NeedsKernel
class ManyRealRulesTest {
    @TempDir
    private Path dir;

    /** A whole pass and a scrape, with the parts of the service. */
    static final class RealPass {
        public static void main(String[] args) {
            Map<String, String> values = Map.of("backend", args[0], "state-dir", args[1], "config", args[1] + "/none");
            Settings settings = Settings.of(name -> Optional.ofNullable(values.get(name)));
            Clock clock = Clock.systemUTC();
            Heartbeat life = new Heartbeat(clock);
            var programs = life.heard(new SystemCommandRunner(System.getenv("PATH")));
            var node = new Assembly(programs, new SystemNodeFiles());
            var loop = new AgentLoop(node.reconciler(settings, Sources.file(settings), clock), life);
            AgentStatus status = loop.pass();
            System.out.println("in sync " + status.inSync() + ", others "
                    + status.families().get(IpFamily.IPV4).shadows().stream()
                            .mapToInt(Shadow::count)
                            .sum());
            status.families().values().forEach(family -> System.out.println(family.failure()));
            Dataplane scraped = new CachingDataplane(node.dataplane(settings), settings.fullRead(), clock);
            scraped.probe();
            new KernelCounters(scraped, clock)
                    .read(status, Duration.ZERO)
                    .families()
                    .forEach((family, state) -> System.out.println(
                            "counters of " + family + ": " + state.getClass().getSimpleName()));
        }
    }

    private void load(NetNs ns, String backend, int rules) throws IOException {
        ForeignRules foreign = new ForeignRules(rules);
        boolean nft = backend.equals("nftables");
        Stream<String> script = nft
                ? foreign.nftScript()
                : ForeignRules.inOrder(
                        Stream.of("*nat"),
                        foreign.saveChains(),
                        foreign.saveBase(),
                        foreign.saveOthers(),
                        Stream.of("COMMIT"));
        Path file = dir.resolve("rules-" + rules);
        Files.write(file, (Iterable<String>) script::iterator);
        ns.sh((nft ? "nft -f " : "iptables-nft-restore ") + file);
    }

    @ParameterizedTest
    @CsvSource({"iptables-nft, 150000", "nftables, 60000"})
    void aPassOverRealRulesFitsTheHeap(String backend, int many) throws IOException {
        for (int rules : new int[] {many / 50, many}) {
            try (NetNs ns = NetNs.create()) {
                load(ns, backend, rules);
                PackagedHeap.Run run = PackagedHeap.run(ns, RealPass.class, backend, dir.toString());
                assertThat(run.code()).as(run.err()).isZero();
                System.out.println(backend + ", " + rules + " real rules of others: " + run.heap());
                assertThat(run.out())
                        .contains("in sync true, others " + rules / 3)
                        .contains("counters of IPV4: Present", "counters of IPV6: Present");
                assertThat(run.liveKiB()).isLessThan(40 * 1024);
            }
        }
    }
}
