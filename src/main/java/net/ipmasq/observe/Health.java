package net.ipmasq.observe;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.net.IpFamily;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** The three probes, each with data that says why not. */
public final class Health {
    private Health() {}

    /** A pass takes less than this whatever hangs: three calls of at most 30 s. */
    private static final Duration LONGEST_PASS = Duration.ofMinutes(2);

    /** The scheduler looks once a second. */
    private static final Duration JITTER = Duration.ofSeconds(5);

    /** {@code /q/health/live}: the loop moves. */
    @Liveness
    @Singleton
    public static class Live implements HealthCheck {
        private final AgentLoop loop;
        private final Clock clock;

        @Inject
        Live(AgentLoop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
        }

        @Override
        public HealthCheckResponse call() {
            HealthCheckResponseBuilder response = HealthCheckResponse.named("loop");
            AgentStatus status = loop.status().orElse(null);
            Instant last = status == null ? null : status.passes().last().orElse(null);
            if (status == null || last == null) {
                return response.down().withData("why", "no pass yet").build();
            }
            Duration allowed = status.passes().interval().multipliedBy(3).plus(LONGEST_PASS);
            boolean moves = last.plus(allowed).isAfter(clock.instant());
            response.status(moves).withData("passes", status.passes().count()).withData("lastPass", last.toString());
            return moves
                    ? response.build()
                    : response.withData("why", "no pass within " + allowed).build();
        }
    }

    /** {@code /q/health/ready}: every managed family is in sync. An invalid configuration is Degraded, but ready. */
    @Readiness
    @Singleton
    public static class Ready implements HealthCheck {
        private final AgentLoop loop;
        private final Clock clock;

        @Inject
        Ready(AgentLoop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
        }

        @Override
        public HealthCheckResponse call() {
            HealthCheckResponseBuilder response = HealthCheckResponse.named("rules");
            AgentStatus status = loop.status().orElse(null);
            if (status == null) {
                return response.down().withData("why", "no pass yet").build();
            }
            Instant since = clock.instant()
                    .minus(status.passes().interval().multipliedBy(3))
                    .minus(JITTER);
            boolean ready = true;
            for (IpFamily family : IpFamily.values()) {
                FamilyStatus one = status.families().get(family);
                String why = one == null || !one.managed() ? "" : whyNot(one, since);
                response.withData(family.key(), describe(one, why));
                ready &= why.isEmpty();
            }
            Conditions.whyDegraded(status).ifPresent(message -> response.withData("degraded", message));
            return response.status(ready).build();
        }

        private static String whyNot(FamilyStatus family, Instant since) {
            if (family.lastInSync().map(last -> last.isAfter(since)).orElse(false)) {
                return "";
            }
            return family.failure()
                    .map(failure -> failure.oneLine())
                    .orElse("not in sync since "
                            + family.lastInSync().map(Instant::toString).orElse("the start"));
        }

        private static String describe(@org.jspecify.annotations.Nullable FamilyStatus family, String why) {
            if (family == null || !family.managed()) {
                return "not managed" + (family == null ? "" : ": " + family.why());
            }
            return why.isEmpty() ? "in sync" : why;
        }
    }

    /** {@code /q/health/started}: the first pass is over. */
    @Startup
    @Singleton
    public static class Started implements HealthCheck {
        private final AgentLoop loop;

        @Inject
        Started(AgentLoop loop) {
            this.loop = loop;
        }

        @Override
        public HealthCheckResponse call() {
            boolean started = loop.status().isPresent();
            HealthCheckResponseBuilder response =
                    HealthCheckResponse.named("first-pass").status(started);
            return started
                    ? response.build()
                    : response.withData("why", "no pass yet").build();
        }
    }
}
