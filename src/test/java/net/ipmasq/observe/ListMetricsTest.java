package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.cli.SettingsLookup;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets are counted for the list whose rule they met, also where the kernel's rules do not say which that is. */
class ListMetricsTest {
    private static final String CHAIN = "IP-MASQ-AGENT";

    @TempDir
    Path dir;

    /** A scrape after line n of IPv4 has seen 2 to the n packets. */
    private String scrape(String config) throws IOException {
        Path file = Files.writeString(dir.resolve("config"), config);
        Settings settings = Settings.of(new SettingsLookup(Map.of(), Map.of()));
        InMemoryDataplane kernel = new InMemoryDataplane();
        SteadyClock clock = SteadyClock.system();
        AgentLoop loop = new AgentLoop(new Reconciler(
                kernel,
                new FileSource(file, settings.patience()),
                Profiles.of(settings),
                new StateStore(dir.resolve("state")),
                clock,
                Instant.now()));
        assertThat(loop.pass().inSync()).isTrue();
        kernel.edit(IpFamily.IPV4, table -> {
            List<ObservedChain.Line> counted = new ArrayList<>();
            for (ObservedChain.Line line : table.chains().getOrDefault(CHAIN, List.of())) {
                long packets = 1L << counted.size();
                counted.add(new ObservedChain.Line(
                        line.rule(), line.meaning(), line.text(), new Counters(packets, packets * 100)));
            }
            return table.withChain(CHAIN, counted);
        });
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try {
            new AgentMeters(loop, new KernelCounters(kernel, clock), clock).bindTo(registry);
            return registry.scrape();
        } finally {
            registry.close();
        }
    }

    private static String packets(String list, long count) {
        return "ip_masq_agent_packets_total{action=\"keep\",family=\"ipv4\",list=\"" + list + "\",} " + count + ".0\n";
    }

    @Test
    void withoutTheExemptionAListedLinkLocalRangeCountsForItsList() throws IOException {
        assertThat(scrape("masqLinkLocal: true\nnonMasqueradeCIDRs: [169.254.0.0/16, 10.0.0.0/8]\n"))
                .contains(packets("linkLocal", 0), packets("nonMasqueradeCIDRs", 1 + 2))
                .contains(
                        "ip_masq_agent_bytes_total{action=\"keep\",family=\"ipv4\",list=\"nonMasqueradeCIDRs\",} 300.0");
    }

    @Test
    void withBothTheFirstRuleIsTheExemption() throws IOException {
        assertThat(scrape("nonMasqueradeCIDRs: [10.0.0.0/8, 169.254.0.0/16]\n"))
                .contains(packets("linkLocal", 1), packets("nonMasqueradeCIDRs", 2 + 4));
    }
}
