package net.ipmasq.dataplane.big;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.app.Assembly;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedHeap;
import net.ipmasq.net.IpFamily;
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

    /** A whole pass. */
    static final class RealPass {
        public static void main(String[] args) {
            Map<String, String> values = Map.of("backend", args[0], "state-dir", args[1], "config", args[1] + "/none");
            Settings settings = Settings.of(name -> Optional.ofNullable(values.get(name)));
            var node = new Assembly(new SystemCommandRunner(System.getenv("PATH")), new SystemNodeFiles());
            AgentStatus status = node.reconciler(settings, Sources.file(settings), Clock.systemUTC())
                    .pass();
            System.out.println("in sync " + status.inSync() + ", others "
                    + status.families().get(IpFamily.IPV4).shadows().stream()
                            .mapToInt(Shadow::count)
                            .sum());
            status.families().values().forEach(family -> System.out.println(family.failure()));
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
                assertThat(run.out()).contains("in sync true, others " + rules / 3);
                assertThat(run.liveKiB()).isLessThan(40 * 1024);
            }
        }
    }
}
