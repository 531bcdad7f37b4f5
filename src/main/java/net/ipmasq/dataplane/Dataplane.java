package net.ipmasq.dataplane;

import java.util.Map;
import java.util.Set;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * The kernel, as the reconciler sees it. All methods are idempotent and independent per family; none throws for what
 * the node does, and none decides policy.
 */
public interface Dataplane {

    /** Which backend is in use and which families are possible; cheap, asked in every pass. */
    Probe probe();

    /** What the kernel shows of {@code chain} in these families, read now. */
    Observed observe(String chain, Set<IpFamily> families);

    /** As {@link #observe}, with packet and byte counters. */
    Observed observeCounters(String chain, Set<IpFamily> families);

    /** Makes the kernel hold {@code desired}, one transaction per family that differs from {@code before}. */
    Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before);

    /** Removes chain and jumps; references of others to the chain are kept, and reported as a failure. */
    Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families);

    /** As {@link #observe}, in the backend that is not in use; leaves out places where looking is not safe. */
    default Observed observeElsewhere(String chain, Set<IpFamily> families) {
        return new Observed(Map.of());
    }

    /** Removes chain and jumps from every place but the one in use that can hold them, looking only where that is safe. */
    Map<IpFamily, ApplyOutcome> removeElsewhere(String chain);

    /** Whether the tool in use can pick source ports fully at random. */
    boolean canRandomFully(IpFamily family);
}
