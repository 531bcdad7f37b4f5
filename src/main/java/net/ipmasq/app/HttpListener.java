package net.ipmasq.app;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;

/**
 * Serves health, metrics and status. Quarkus' own server ends the process when its port is taken, and with it the
 * healing; this one reports Degraded and tries again.
 */
@Singleton
public class HttpListener {
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final String REASON = "PortTaken";

    private final Vertx vertx;
    private final Router router;
    private final Settings settings;
    private final AgentLoop loop;

    @Inject
    HttpListener(Vertx vertx, Router router, AgentContext context) {
        this.vertx = vertx;
        this.router = router;
        this.settings = context.settings();
        this.loop = context.loop();
    }

    void start(@Observes StartupEvent event) {
        new BoundedServer(vertx, settings.host(), settings.port(), router, RETRY, this::report).start();
    }

    // reporting waits for a running pass, which an event loop must not
    private void report(Optional<String> why) {
        Optional<String> issue = why.map(message -> "cannot listen on " + settings.host() + ":" + settings.port()
                + " (" + message + "): health, metrics and status are not served, rules are still kept;"
                + " stop the program that uses the port, or set IP_MASQ_PORT");
        vertx.executeBlocking(() -> {
            loop.report(REASON, issue);
            return "";
        });
    }
}
