package net.ipmasq.app;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.cli.StatusPage;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.observe.KernelCounters;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusRoute;

/** The only producers: they hand out what the first pass was made with. Singletons, so that no proxy hides a field. */
@Singleton
public class AgentBeans {

    @Produces
    @Singleton
    AgentContext context() {
        return Service.context();
    }

    @Produces
    @Singleton
    Settings settings(AgentContext context) {
        return context.settings();
    }

    @Produces
    @Singleton
    AgentLoop loop(AgentContext context) {
        return context.loop();
    }

    @Produces
    @Singleton
    Dataplane dataplane(AgentContext context) {
        return context.dataplane();
    }

    @Produces
    @Singleton
    LineLog log(AgentContext context) {
        return context.log();
    }

    @Produces
    @Singleton
    SteadyClock clock(AgentContext context) {
        return context.clock();
    }

    @Produces
    @Singleton
    KernelCounters counters(Dataplane dataplane, SteadyClock clock) {
        return new KernelCounters(dataplane, clock);
    }

    @Produces
    @Singleton
    StatusRoute.Form statusForm() {
        return StatusPage::of;
    }
}
