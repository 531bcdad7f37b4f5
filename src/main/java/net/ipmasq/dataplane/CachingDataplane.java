package net.ipmasq.dataplane;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * Skips reads that cannot find anything new: as long as the kernel's generation does not move, the last reading is returned
 * again, until it is too old. Without a generation, as for the legacy tables, everything is read
 * every time.
 */
public final class CachingDataplane implements Dataplane {
    private final Dataplane dataplane;
    private final Duration fullRead;
    private final Clock clock;
    private final Map<Key, Reading> memory = new HashMap<>();
    private volatile Generation generation = OptionalLong::empty;
    // until the first probe, one that is always read
    private volatile Backend backend = Backend.IPTABLES_LEGACY;

    private record Key(Backend backend, String chain, IpFamily family) {}

    /** What was read, by the clock at the time, while the generation was the same before and after. */
    private record Reading(long generation, Instant at, FamilyState state) {}

    /**
     * @param fullRead a reading of this age is no longer returned
     */
    public CachingDataplane(Dataplane dataplane, Duration fullRead, Clock clock) {
        this.dataplane = dataplane;
        this.fullRead = fullRead;
        this.clock = clock;
    }

    /** From now on asks this one; before the first call everything is read. */
    public void use(Generation source) {
        generation = source;
    }

    /** The generation at which this was last read completely; empty if nothing valid is remembered of it. */
    public OptionalLong verified(String chain, IpFamily family) {
        synchronized (memory) {
            Reading reading = memory.get(new Key(backend, chain, family));
            return reading == null ? OptionalLong.empty() : OptionalLong.of(reading.generation());
        }
    }

    @Override
    public Probe probe() {
        Probe probe = dataplane.probe();
        backend = probe.backend();
        return probe;
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        Backend in = backend;
        OptionalLong before = current(in);
        Map<IpFamily, FamilyState> states = new EnumMap<>(IpFamily.class);
        before.ifPresent(now -> states.putAll(remembered(in, chain, families, now)));
        Set<IpFamily> missing = new HashSet<>(families);
        missing.removeAll(states.keySet());
        if (!missing.isEmpty()) {
            Instant at = clock.instant();
            Map<IpFamily, FamilyState> read = dataplane.observe(chain, missing).families();
            states.putAll(read);
            OptionalLong after = current(in);
            // moved while we read: what was read may be from before or after, so it is not remembered
            if (before.isPresent() && before.equals(after)) {
                remember(in, chain, read, before.getAsLong(), at);
            }
        }
        return new Observed(states);
    }

    private OptionalLong current(Backend in) {
        // the kernel would load nf_tables to answer, on a node that does not use it
        return in.movesGeneration() ? generation.current() : OptionalLong.empty();
    }

    private Map<IpFamily, FamilyState> remembered(Backend in, String chain, Set<IpFamily> families, long now) {
        Instant time = clock.instant();
        Map<IpFamily, FamilyState> states = new EnumMap<>(IpFamily.class);
        synchronized (memory) {
            for (IpFamily family : families) {
                Reading reading = memory.get(new Key(in, chain, family));
                if (reading != null && reading.generation() == now && isYoung(reading, time)) {
                    states.put(family, reading.state());
                }
            }
        }
        return states;
    }

    private boolean isYoung(Reading reading, Instant time) {
        // a clock that was set back must not make a reading last longer
        return !time.isBefore(reading.at()) && time.isBefore(reading.at().plus(fullRead));
    }

    private void remember(Backend in, String chain, Map<IpFamily, FamilyState> read, long now, Instant at) {
        synchronized (memory) {
            read.forEach((family, state) -> {
                Key key = new Key(in, chain, family);
                if (isWhole(state)) {
                    memory.put(key, new Reading(now, at, state));
                } else {
                    memory.remove(key);
                }
            });
        }
    }

    /** If not, reading failed, and that can end without a write: a tool is installed, a capability granted. */
    private static boolean isWhole(FamilyState state) {
        return switch (state) {
            case FamilyState.Unreadable unreadable -> false;
            case FamilyState.Absent absent -> absent.shadows().stream().noneMatch(Shadow.Untold.class::isInstance);
            case FamilyState.Present present -> present.shadows().stream().noneMatch(Shadow.Untold.class::isInstance);
        };
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        return dataplane.observeCounters(chain, families);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        return forgetting(dataplane.apply(desired, before));
    }

    @Override
    public Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        return forgetting(dataplane.remove(chain, families));
    }

    @Override
    public Observed observeElsewhere(String chain, Set<IpFamily> families) {
        return dataplane.observeElsewhere(chain, families);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        return forgetting(dataplane.removeElsewhere(chain));
    }

    /** The generation has moved by itself; this is for a kernel that would not move it. */
    private Map<IpFamily, ApplyOutcome> forgetting(Map<IpFamily, ApplyOutcome> outcomes) {
        synchronized (memory) {
            outcomes.forEach((family, outcome) -> {
                if (!(outcome instanceof ApplyOutcome.Unchanged)) {
                    memory.keySet().removeIf(key -> key.family() == family);
                }
            });
        }
        return outcomes;
    }

    @Override
    public boolean canRandomFully(IpFamily family) {
        return dataplane.canRandomFully(family);
    }
}
