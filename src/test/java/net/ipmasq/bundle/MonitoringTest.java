package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.ipmasq.docs.Docs;
import net.ipmasq.json.JsonReader;
import org.junit.jupiter.api.Test;

/** Alerts, dashboard and health rules ask for metrics that there are. */
class MonitoringTest {
    private static final Pattern METRIC = Pattern.compile("ip_masq_agent_\\w+");
    private static final String ON =
            "{podMonitor: {enabled: true}, prometheusRule: {enabled: true}, grafanaDashboard: {enabled: true}}";

    private static void assertMetricsExist(String text) throws IOException {
        Set<String> known = Docs.firstCells("docs/metrics.md", "## Metrics");
        List<String> used =
                METRIC.matcher(text).results().map(MatchResult::group).toList();
        assertThat(used).isNotEmpty();
        for (String name : used) {
            // the series of a histogram
            assertThat(known).contains(name.replaceFirst("_bucket$", ""));
        }
    }

    @Test
    void alertsAreThoseOfTheDocuments() throws IOException {
        String page = Docs.text("docs/metrics.md");
        String block = page.split("## Alerts", 2)[1].split("```yaml\n", 2)[1].split("```", 2)[0];
        Map<String, Object> rule = Rendered.of(ON).document("PrometheusRule/cce-ip-masq-agent");
        assertThat(rule.get("spec")).isEqualTo(Bundle.documents(block).getFirst());
        assertMetricsExist(rule.toString());
    }

    @Test
    void theDashboardIsJsonOverMetricsThatExist() throws IOException {
        String json = Rendered.of(ON).data("cce-ip-masq-agent-dashboard", "ip-masq-agent.json");
        Map<String, Object> dashboard = JsonReader.object(json);
        assertThat(dashboard).containsEntry("uid", "ip-masq-agent");
        List<String> titles = new ArrayList<>();
        for (Object panel : Bundle.list(dashboard.get("panels"))) {
            titles.add(Bundle.at(panel, "title").orElseThrow().toString());
            for (Object target : Bundle.list(Bundle.at(panel, "targets").orElseThrow())) {
                assertMetricsExist(Bundle.at(target, "expr").orElseThrow().toString());
            }
        }
        assertThat(titles).doesNotHaveDuplicates().hasSizeGreaterThan(5);
    }

    @Test
    void thePodMonitorScrapesThePortThatThePodsName() {
        Rendered rendered = Rendered.of(ON);
        Map<String, Object> monitor = rendered.document("PodMonitor/cce-ip-masq-agent");
        assertThat(Bundle.at(monitor, "spec", "podMetricsEndpoints", 0, "port")).contains("metrics");
        assertThat(Bundle.at(monitor, "spec", "podMetricsEndpoints", 0, "path")).contains("/q/metrics");
        Map<String, Object> daemonSet = rendered.document("DaemonSet/cce-ip-masq-agent");
        assertThat(Bundle.at(daemonSet, "spec", "template", "spec", "containers", 0, "ports", 0, "name"))
                .contains("metrics");
        assertThat(Bundle.at(monitor, "spec", "selector")).isEqualTo(Bundle.at(daemonSet, "spec", "selector"));
    }

    @Test
    void theHealthRulesOfTheAddonDoToo() throws IOException {
        assertMetricsExist(Bundle.at(Bundle.yaml(Bundle.ROOT.resolve("addon.yaml")), "health", "metrics")
                .orElseThrow()
                .toString());
    }
}
