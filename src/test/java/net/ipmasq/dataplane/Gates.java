package net.ipmasq.dataplane;

import java.time.Clock;
import java.time.Duration;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NetNs;
import net.ipmasq.netlink.RulesetGeneration;

/** Gates over real kernels. */
public final class Gates {
    public static final Duration FULL_READ = Duration.ofMinutes(10);

    private Gates() {}

    /** A gate that knows the namespace's generation. */
    public static CachingDataplane of(NetNs ns, Dataplane dataplane) {
        return of(ns, dataplane, Clock.systemUTC());
    }

    public static CachingDataplane of(NetNs ns, Dataplane dataplane, Clock clock) {
        CachingDataplane gate = new CachingDataplane(dataplane, FULL_READ, clock);
        gate.use(InNetNs.call(ns, RulesetGeneration::open)::current);
        return gate;
    }
}
