package net.ipmasq.dataplane;

import java.util.Map;
import java.util.Set;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/** Another dataplane, with something that happens whenever it is read. */
public record Hooked(Dataplane dataplane, Runnable onObserve, Runnable onCounters) implements Dataplane {
    @Override
    public Probe probe() {
        return dataplane.probe();
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        onObserve.run();
        return dataplane.observe(chain, families);
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        onCounters.run();
        return dataplane.observeCounters(chain, families);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        return dataplane.apply(desired, before);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        return dataplane.remove(chain, families);
    }

    @Override
    public Observed observeElsewhere(String chain, Set<IpFamily> families) {
        return dataplane.observeElsewhere(chain, families);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        return dataplane.removeElsewhere(chain);
    }

    @Override
    public boolean canRandomFully(IpFamily family) {
        return dataplane.canRandomFully(family);
    }
}
