package net.ipmasq.observe;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.text.JsonText;

/** {@code GET /status}. */
@Singleton
public class StatusRoute {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final AgentLoop loop;
    private final KernelCounters counters;

    @Inject
    StatusRoute(AgentLoop loop, KernelCounters counters) {
        this.loop = loop;
        this.counters = counters;
    }

    void init(@Observes Router router) {
        router.get("/status").blockingHandler(this::answer, false);
    }

    private void answer(RoutingContext context) {
        String body = loop.status()
                .map(status -> JsonText.pretty(StatusDocument.of(status, counters.read(status, FRESH))))
                .orElse("{}\n");
        context.response().putHeader("Content-Type", "application/json").end(body);
    }
}
