package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.cli.SettingsLookup;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.docs.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a scrape are those of {@code docs/metrics.md}, by name, type and labels. */
class DocsMetricsTest {
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (ip_masq_agent_\\S+) (\\S+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    @TempDir
    Path dir;

    private String scrape() {
        Settings settings = Settings.of(new SettingsLookup(Map.of(), Map.of()));
        InMemoryDataplane kernel = new InMemoryDataplane();
        SteadyClock clock = SteadyClock.system();
        AgentLoop loop = new AgentLoop(new Reconciler(
                kernel,
                new FileSource(dir.resolve("none"), settings.patience()),
                Profiles.of(settings),
                new StateStore(dir.resolve("state")),
                clock,
                clock.instant()));
        loop.pass();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try {
            new AgentMeters(loop, new KernelCounters(kernel, clock), clock).bindTo(registry);
            return registry.scrape();
        } finally {
            registry.close();
        }
    }

    @Test
    void everyMetricIsExplainedAndNoOther() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher type = TYPE.matcher(scrape());
        while (type.find()) {
            names.add(type.group(1));
        }
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(Docs.firstCells("docs/metrics.md", "## Metrics")).containsExactlyElementsOf(names);
    }

    @Test
    void typesAndLabelsAreRight() throws IOException {
        String scrape = scrape();
        String text = Docs.text("docs/metrics.md");
        Matcher type = TYPE.matcher(scrape);
        while (type.find()) {
            String name = type.group(1);
            Set<String> labels = new TreeSet<>();
            Matcher label = LABEL.matcher(scrape.lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + "_bucket{"))
                    .findFirst()
                    .orElse(""));
            while (label.find()) {
                labels.add("`" + label.group(1) + "`");
            }
            // the bounds of a histogram's buckets go without saying
            labels.remove("`le`");
            String cell = labels.isEmpty() ? "-" : String.join(", ", labels);
            assertThat(text).contains("| `" + name + "` | " + type.group(2) + " | " + cell + " |");
        }
    }
}
