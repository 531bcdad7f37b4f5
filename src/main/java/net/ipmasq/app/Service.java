package net.ipmasq.app;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Assembly;
import net.ipmasq.agent.FileWatch;
import net.ipmasq.agent.KernelWatch;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.kube.ClusterInputs;
import net.ipmasq.cli.LogTarget;
import net.ipmasq.cli.Parts;
import net.ipmasq.dataplane.GenerationGate;
import net.ipmasq.netlink.RulesetEvents;
import net.ipmasq.netlink.RulesetGeneration;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusLog;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** The agent as a service: the first pass with plain objects, then the framework around it. */
public final class Service implements QuarkusApplication {
    private static final AtomicReference<@Nullable AgentContext> CONTEXT = new AtomicReference<>();

    /** Runs until the process is told to stop; returns its exit code. */
    public static int run(Settings settings, LogTarget target) {
        Clock clock = Clock.systemUTC();
        var started = Parts.processStart();
        GenerationGate dataplane = Assembly.gate(settings, Parts.node(), clock);
        StateStore store = Assembly.store(settings);
        ProviderProfile own = Assembly.profile(settings.profile());
        ProviderProfile profile = Assembly.withFlags(settings, own);
        Optional<ClusterInputs> cluster =
                Assembly.usesApi(settings) ? Optional.of(new ClusterInputs(settings, store, own)) : Optional.empty();
        Reconciler reconciler = new Reconciler(
                dataplane,
                cluster.map(ClusterInputs::config).orElseGet(() -> Assembly.source(settings)),
                cluster.map(ClusterInputs::profile).orElseGet(() -> ProfileSource.of(profile)),
                profile,
                store,
                clock,
                started);
        AgentLoop loop = new AgentLoop(reconciler);
        LineLog log = new LineLog(target.stream(), settings.jsonLogs(), clock);
        loop.onPass(new StatusLog(log));
        loop.pass();
        target.warnings().forEach(line -> log.log(LineLog.Level.WARN, line, Map.of()));
        CONTEXT.set(new AgentContext(settings, dataplane, loop, log, cluster));
        // after the first pass, since linking to the C library takes longer than any question that it answers
        new KernelWatch(
                        loop,
                        dataplane,
                        new KernelWatch.Kernel(() -> RulesetGeneration.open()::current, RulesetEvents::open),
                        clock,
                        line -> log.log(LineLog.Level.INFO, line, Map.of()))
                .start();
        try {
            // a daemon thread that ends with the process: nothing has to close it
            new FileWatch(
                            settings.config(),
                            loop::isWaiting,
                            loop::passIfNews,
                            line -> log.log(LineLog.Level.WARN, line, Map.of()))
                    .start();
        } catch (IOException e) {
            log.log(LineLog.Level.ERROR, "the configuration file cannot be watched: " + e, Map.of());
        }
        return boot(target);
    }

    private static int boot(LogTarget target) {
        if (target.standardOutput()) {
            // the framework's own lines go where ours do
            System.setProperty("quarkus.log.console.stderr", "false");
        }
        AtomicInteger code = new AtomicInteger();
        Quarkus.run(Service.class, (exitCode, problem) -> code.set(exitCode));
        return code.get();
    }

    static AgentContext context() {
        AgentContext context = CONTEXT.get();
        if (context == null) {
            throw new IllegalStateException("the service was not started by its own main method");
        }
        return context;
    }

    @Override
    public int run(String... args) {
        Quarkus.waitForExit();
        return 0;
    }
}
