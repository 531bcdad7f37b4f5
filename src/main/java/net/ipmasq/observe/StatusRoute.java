package net.ipmasq.observe;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.policy.PodNetwork;

/** {@code GET /status}; with {@code ?as=text} or {@code ?as=yaml} as the command {@code status} prints it. */
@Singleton
public class StatusRoute {
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** A header for clients that do not read the body: {@code true} or {@code false}. */
    public static final String IN_SYNC = "Ip-Masq-In-Sync";

    private static final int BAD_REQUEST = 400;

    /** What prints a status document. */
    public interface Form {
        /** The document in the format of that name; empty if there is none of that name. */
        Optional<String> of(Map<String, Object> document, String format);
    }

    private final AgentLoop loop;
    private final KernelCounters counters;
    private final NodeDescription node;
    private final SteadyClock clock;
    private final Form form;

    @Inject
    StatusRoute(AgentLoop loop, KernelCounters counters, NodeDescription node, SteadyClock clock, Form form) {
        this.loop = loop;
        this.counters = counters;
        this.node = node;
        this.clock = clock;
        this.form = form;
    }

    void init(@Observes Router router) {
        router.get("/status").blockingHandler(this::answer, false);
    }

    private void answer(RoutingContext context) {
        Optional<Map<String, Object>> document = loop.status().map(status -> {
            Optional<Map<String, Object>> described = node.node();
            PodNetwork pods = PodFindings.network(described, new SystemNodeFiles());
            Map<String, Object> made = StatusDocument.of(status, counters.read(status, FRESH), pods, clock::shown);
            described.ifPresent(description -> made.put("node", description));
            if (!loop.notFollowed().isEmpty()) {
                made.put("notFollowed", new TreeMap<>(loop.notFollowed()));
            }
            return made;
        });
        String as = context.request().getParam("as", "json");
        Optional<String> body = document.isEmpty() ? Optional.of("{}\n") : form.of(document.get(), as);
        HttpServerResponse response = context.response();
        document.ifPresent(made -> response.putHeader(IN_SYNC, String.valueOf(made.get("inSync"))));
        response.putHeader("Content-Type", as.equals("json") ? "application/json" : "text/plain; charset=utf-8");
        body.ifPresentOrElse(
                response::end, () -> response.setStatusCode(BAD_REQUEST).end("as can be text, json or yaml\n"));
    }
}
