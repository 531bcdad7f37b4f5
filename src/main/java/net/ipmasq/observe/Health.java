package net.ipmasq.observe;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.net.IpFamily;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** The three probes, each with data that gives the reason for a failure. */
public final class Health {
    private Health() {}

    /** Between two signs of life of a pass there is less than this whatever hangs: a call ends after 30 s. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(2);

    /** A pass itself takes time, and ends this much later than the one before at most. */
    private static final Duration JITTER = Duration.ofSeconds(5);

    /** {@code /q/health/live}: the loop makes progress. */
    @Liveness
    @Singleton
    public static class Live implements HealthCheck {
        private final AgentLoop loop;
        private final SteadyClock clock;

        @Inject
        Live(AgentLoop loop, SteadyClock clock) {
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
            Duration allowed = status.passes().interval().multipliedBy(3).plus(LONGEST_STEP);
            boolean moves = loop.silence().compareTo(allowed) < 0;
            response.status(moves)
                    .withData("passes", status.passes().count())
                    .withData("lastPass", clock.shown(last).toString());
            return moves
                    ? response.build()
                    : response.withData("why", "no pass, and no step of one, within " + allowed)
                            .build();
        }
    }

    /** {@code /q/health/ready}: every managed family is in sync. An invalid configuration is Degraded, but ready. */
    @Readiness
    @Singleton
    public static class Ready implements HealthCheck {
        private final AgentLoop loop;
        private final SteadyClock clock;

        @Inject
        Ready(AgentLoop loop, SteadyClock clock) {
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

        private String whyNot(FamilyStatus family, Instant since) {
            if (family.lastInSync().map(last -> last.isAfter(since)).orElse(false)) {
                return "";
            }
            return family.failure()
                    .map(failure -> failure.oneLine())
                    .orElse("not in sync since "
                            + family.lastInSync()
                                    .map(last -> clock.shown(last).toString())
                                    .orElse("the start"));
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
