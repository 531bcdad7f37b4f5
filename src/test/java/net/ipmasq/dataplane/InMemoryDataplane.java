package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Ruleset;

/**
 * A kernel that is only a few records, for tests of what stands above the port. As atomic as the real one: a write
 * happens as a whole or not at all. The same contract test holds it and the real backends to the same behaviour.
 */
public final class InMemoryDataplane implements Dataplane {
    private final Map<IpFamily, InMemoryTable> tables = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, InMemoryTable> elsewhere = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, Failure> unreadable = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, Failure> unwritable = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, Failure> impossible = new EnumMap<>(IpFamily.class);
    private final Backend backend;
    private int writes;

    public InMemoryDataplane() {
        this(Backend.IPTABLES_NFT);
    }

    /**
     * @param backend what it says it is
     */
    public InMemoryDataplane(Backend backend) {
        this.backend = backend;
        for (IpFamily family : IpFamily.values()) {
            tables.put(family, InMemoryTable.EMPTY);
            elsewhere.put(family, InMemoryTable.EMPTY);
        }
    }

    /** Changes a table as somebody else would. */
    public synchronized void edit(IpFamily family, UnaryOperator<InMemoryTable> change) {
        tables.put(family, change.apply(table(family)));
    }

    /** Changes the table that the backend not in use would have. */
    public synchronized void editElsewhere(IpFamily family, UnaryOperator<InMemoryTable> change) {
        elsewhere.put(family, change.apply(elsewhere.getOrDefault(family, InMemoryTable.EMPTY)));
    }

    public synchronized InMemoryTable table(IpFamily family) {
        return tables.getOrDefault(family, InMemoryTable.EMPTY);
    }

    public synchronized InMemoryTable tableElsewhere(IpFamily family) {
        return elsewhere.getOrDefault(family, InMemoryTable.EMPTY);
    }

    /** From now on reading the family fails so; empty: no longer. */
    public synchronized void failReads(IpFamily family, Optional<Failure> failure) {
        set(unreadable, family, failure);
    }

    /** From now on writing the family fails so, and changes nothing; empty: no longer. */
    public synchronized void failWrites(IpFamily family, Optional<Failure> failure) {
        set(unwritable, family, failure);
    }

    /** From now on the node cannot do the family; empty: it can again. */
    public synchronized void makeImpossible(IpFamily family, Optional<Failure> failure) {
        set(impossible, family, failure);
    }

    private static void set(Map<IpFamily, Failure> failures, IpFamily family, Optional<Failure> failure) {
        failure.ifPresentOrElse(some -> failures.put(family, some), () -> failures.remove(family));
    }

    /** How many transactions have been written. */
    public synchronized int writes() {
        return writes;
    }

    @Override
    public synchronized Probe probe() {
        return new Probe(backend, "configured", impossible);
    }

    @Override
    public synchronized Observed observe(String chain, Set<IpFamily> families) {
        Map<IpFamily, FamilyState> states = new EnumMap<>(IpFamily.class);
        families.forEach(family -> states.put(family, state(chain, family)));
        return new Observed(states);
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        return observe(chain, families);
    }

    private FamilyState state(String chain, IpFamily family) {
        Failure failure = unreadable.get(family);
        if (failure != null) {
            return new FamilyState.Unreadable(failure);
        }
        InMemoryTable table = table(family);
        ObservedChain observed = table.observed(chain);
        return observed.anythingOfOurs()
                ? new FamilyState.Present(observed, table.shadows(chain))
                : new FamilyState.Absent(table.shadows(chain));
    }

    @Override
    public synchronized Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        desired.families().forEach((family, rules) -> {
            FamilyState state = before.families().get(family);
            outcomes.put(family, state == null ? new ApplyOutcome.Unchanged() : apply(rules, family, state));
        });
        return outcomes;
    }

    private ApplyOutcome apply(FamilyRules desired, IpFamily family, FamilyState before) {
        ObservedChain seen = switch (before) {
            case FamilyState.Unreadable(Failure failure) -> null;
            case FamilyState.Absent absent -> ObservedChain.absent(desired.chain());
            case FamilyState.Present present -> present.chain();
        };
        if (seen == null) {
            return new ApplyOutcome.Failed(((FamilyState.Unreadable) before).failure());
        }
        if (Drift.between(desired, seen).isEmpty()) {
            return new ApplyOutcome.Unchanged();
        }
        return write(tables, family, written(table(family), desired, seen));
    }

    private static InMemoryTable written(InMemoryTable table, FamilyRules desired, ObservedChain seen) {
        List<BaseRule> base = new ArrayList<>(table.base());
        if (seen.jumps(Jump.Kind.CANONICAL).isEmpty()) {
            base.add(BaseRule.jump(desired.chain(), Jump.Kind.CANONICAL));
        }
        seen.jumps(Jump.Kind.VARIANT).forEach(jump -> base.remove(BaseRule.jump(desired.chain(), jump.kind())));
        seen.jumps(Jump.Kind.CANONICAL).stream()
                .skip(1)
                .forEach(jump -> base.remove(BaseRule.jump(desired.chain(), jump.kind())));
        List<ObservedChain.Line> lines =
                desired.ordered().stream().map(InMemoryTable::line).toList();
        List<ObservedChain.Line> held = table.chains().getOrDefault(desired.chain(), List.of());
        Map<String, List<ObservedChain.Line>> chains = new HashMap<>(table.chains());
        // counters go on where the rules are the same, as they do when only the jump is written
        chains.put(desired.chain(), withoutCounters(held).equals(lines) ? held : lines);
        return new InMemoryTable(base, chains, table.references());
    }

    private static List<ObservedChain.Line> withoutCounters(List<ObservedChain.Line> lines) {
        return lines.stream()
                .map(line -> new ObservedChain.Line(line.rule(), line.meaning(), line.text(), Counters.ZERO))
                .toList();
    }

    private ApplyOutcome write(Map<IpFamily, InMemoryTable> where, IpFamily family, InMemoryTable fresh) {
        Failure failure = unwritable.get(family);
        if (failure != null) {
            return new ApplyOutcome.Failed(failure);
        }
        writes++;
        where.put(family, fresh);
        return new ApplyOutcome.Applied(fresh.toString().length());
    }

    @Override
    public synchronized Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        for (IpFamily family : families) {
            Failure failure = unreadable.get(family);
            outcomes.put(family, failure == null ? remove(tables, chain, family) : new ApplyOutcome.Failed(failure));
        }
        return outcomes;
    }

    @Override
    public synchronized Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        Arrays.stream(IpFamily.values()).forEach(family -> outcomes.put(family, remove(elsewhere, chain, family)));
        return outcomes;
    }

    private ApplyOutcome remove(Map<IpFamily, InMemoryTable> where, String chain, IpFamily family) {
        InMemoryTable table = where.getOrDefault(family, InMemoryTable.EMPTY);
        if (!table.observed(chain).anythingOfOurs()) {
            return new ApplyOutcome.Unchanged();
        }
        InMemoryTable without = table.without(chain);
        ApplyOutcome outcome = without.equals(table) ? new ApplyOutcome.Unchanged() : write(where, family, without);
        return outcome instanceof ApplyOutcome.Failed || !without.chains().containsKey(chain)
                ? outcome
                : new ApplyOutcome.Failed(Failure.chainStays(
                        chain, without.observed(chain).othersRules().getFirst()));
    }

    @Override
    public boolean canRandomFully(IpFamily family) {
        return true;
    }
}
