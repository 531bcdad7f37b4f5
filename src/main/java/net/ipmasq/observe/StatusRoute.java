package net.ipmasq.observe;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.policy.PodNetwork;
import net.ipmasq.text.JsonText;

/** {@code GET /status}. */
@Singleton
public class StatusRoute {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final AgentLoop loop;
    private final KernelCounters counters;
    private final NodeDescription node;

    @Inject
    StatusRoute(AgentLoop loop, KernelCounters counters, NodeDescription node) {
        this.loop = loop;
        this.counters = counters;
        this.node = node;
    }

    void init(@Observes Router router) {
        router.get("/status").blockingHandler(this::answer, false);
    }

    private void answer(RoutingContext context) {
        String body = loop.status()
                .map(status -> {
                    Optional<Map<String, Object>> described = node.node();
                    PodNetwork pods = PodFindings.network(described, new SystemNodeFiles());
                    Map<String, Object> document = StatusDocument.of(status, counters.read(status, FRESH), pods);
                    described.ifPresent(description -> document.put("node", description));
                    return JsonText.pretty(document);
                })
                .orElse("{}\n");
        context.response().putHeader("Content-Type", "application/json").end(body);
    }
}
