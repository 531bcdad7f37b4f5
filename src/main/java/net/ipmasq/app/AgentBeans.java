package net.ipmasq.app;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.cli.StatusPage;
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
    AgentLoop loop(AgentContext context) {
        return context.loop();
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
    KernelCounters counters(AgentContext context) {
        return new KernelCounters(context.dataplane(), context.clock());
    }

    @Produces
    @Singleton
    StatusRoute.Form statusForm() {
        return StatusPage::of;
    }
}
