package net.ipmasq.app;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.agent.AddressWatch;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileWatch;
import net.ipmasq.agent.Heartbeat;
import net.ipmasq.agent.KernelWatch;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.agent.Watches;
import net.ipmasq.agent.kube.ClusterInputs;
import net.ipmasq.cli.LogTarget;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.netlink.AddressEvents;
import net.ipmasq.netlink.RulesetEvents;
import net.ipmasq.netlink.RulesetGeneration;
import net.ipmasq.observe.JsonLines;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusLog;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** The agent as a service: the first pass with plain objects, then the framework around it. */
public final class Service implements QuarkusApplication {
    private static final AtomicReference<@Nullable AgentContext> CONTEXT = new AtomicReference<>();

    /** Runs until the process is told to stop; returns its exit code. */
    public static int run(Settings settings, LogTarget target) {
        SteadyClock clock = SteadyClock.system();
        Heartbeat life = new Heartbeat(clock);
        Assembly node = Assembly.ofThisMachine();
        Instant started = Assembly.processStart();
        Dataplane backend = new Assembly(life.heard(node.commands()), node.files()).dataplane(settings);
        // it reads nothing again that cannot have changed
        CachingDataplane dataplane = new CachingDataplane(backend, settings.fullRead(), clock);
        StateStore store = new StateStore(settings.stateDir());
        ProviderProfile own = Profiles.named(settings.profile());
        Optional<ClusterInputs> cluster =
                Sources.usesApi(settings) ? Optional.of(new ClusterInputs(settings, store, own)) : Optional.empty();
        Reconciler reconciler = new Reconciler(
                dataplane,
                cluster.map(ClusterInputs::config).orElseGet(() -> Sources.file(settings)),
                cluster.map(ClusterInputs::profile).orElseGet(ProfileSource::none),
                Profiles.withFlags(settings, own),
                store,
                clock,
                started);
        AgentLoop loop = new AgentLoop(reconciler, life);
        LineLog log = new LineLog(target.stream(), settings.jsonLogs(), Clock.systemUTC());
        if (settings.jsonLogs()) {
            everyLineAsJson(log);
        }
        loop.onPass(new StatusLog(log));
        NodeLimits limits = new NodeLimits(node.files());
        AddressWatch addresses = new AddressWatch(
                loop, AddressEvents::open, () -> limits.ipv6Off().isEmpty(), clock, log::info);
        loop.pass();
        target.warnings().forEach(log::warn);
        CONTEXT.set(new AgentContext(settings, dataplane, loop, log, clock, cluster));
        // after the first pass, since linking to the C library takes longer than any question that it answers
        KernelWatch.Kernel kernel =
                new KernelWatch.Kernel(() -> RulesetGeneration.open()::current, RulesetEvents::open);
        // daemon threads that end with the process: nothing has to close them
        Watches watches = new Watches(loop, log::error);
        watches.start(
                "rules",
                "rules in the kernel",
                () -> new KernelWatch(loop, dataplane, kernel, clock, log::info).start());
        watches.start("addresses", "IPv6 addresses", addresses::start);
        watches.start(
                "configuration",
                "the configuration file",
                () -> new FileWatch(
                                settings.config(),
                                loop::isWaiting,
                                loop::passIfNews,
                                log::warn,
                                why -> loop.notFollowed("configuration", why))
                        .start());
        return boot(target);
    }

    /** The log itself writes to what standard error has been until now, or to where flags send it. */
    private static void everyLineAsJson(LineLog log) {
        // with a stack in one line, where the framework has one
        System.setProperty("quarkus.log.console.json.enabled", "true");
        System.setErr(JsonLines.printing(System.err, log));
        Thread.setDefaultUncaughtExceptionHandler(JsonLines.uncaught(log));
    }

    private static int boot(LogTarget target) {
        if (target.standardOutput()) {
            // the framework's own lines go where ours do
            System.setProperty("quarkus.log.console.stderr", "false");
        }
        AtomicInteger code = new AtomicInteger();
        Quarkus.run(Service.class, (exitCode, problem) -> {
            code.set(exitCode);
            if (problem != null) {
                ended(problem);
            }
        });
        return code.get();
    }

    /** The framework gives the reason to this handler only. */
    private static void ended(Throwable problem) {
        context()
                .log()
                .log(
                        LineLog.Level.ERROR,
                        "the agent ends, its rules stay: the framework did not start or has failed: " + causes(problem),
                        Map.of());
    }

    private static String causes(Throwable problem) {
        StringBuilder causes = new StringBuilder(problem.toString());
        for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
            causes.append("; caused by ").append(cause);
        }
        return causes.toString();
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
