package net.ipmasq.app;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.lab.FreePort;
import net.ipmasq.observe.LineLog;

/** The agent's parts for tests inside Quarkus: a kernel in memory, and a configuration that the test sets. */
@Singleton
public class InMemoryNode {
    /** Reserved, so that neither an agent nor another run of these tests on this machine is in the way. */
    private final FreePort port = FreePort.reserve();

    private final AtomicReference<SourceReading<ConfigSource.Content>> reading =
            new AtomicReference<>(new SourceReading.Absent<>(false));

    int port() {
        return port.number();
    }

    @PreDestroy
    void close() {
        port.close();
    }

    void configure(String text) {
        reading.set(new SourceReading.Present<>(new ConfigSource.Text(text.getBytes(StandardCharsets.UTF_8))));
    }

    @Produces
    @Singleton
    @Typed(InMemoryDataplane.class)
    InMemoryDataplane kernel() {
        return new InMemoryDataplane();
    }

    @Produces
    @Singleton
    @Alternative
    @Priority(1)
    AgentContext context(InMemoryDataplane kernel) {
        Settings settings = Settings.of(name -> Optional.ofNullable(
                switch (name) {
                    case "port" -> String.valueOf(port());
                    default -> null;
                }));
        ConfigSource source = new ConfigSource() {
            @Override
            public SourceReading<Content> read() {
                return reading.get();
            }

            @Override
            public String where() {
                return "the test";
            }
        };
        SteadyClock clock = SteadyClock.system();
        AgentLoop loop = new AgentLoop(new Reconciler(
                kernel,
                source,
                Profiles.of(settings),
                new StateStore(Path.of("target", "quarkus-test-state", String.valueOf(System.nanoTime()))),
                clock,
                clock.instant()));
        loop.pass();
        return new AgentContext(
                settings, kernel, loop, new LineLog(System.err, false, Clock.systemUTC()), clock, Optional.empty());
    }
}
