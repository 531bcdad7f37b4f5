package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.Reader;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.Lines;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.PerFamily;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.dataplane.ShadowList;
import net.ipmasq.dataplane.nftables.TableReader.NoTable;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import org.jspecify.annotations.Nullable;

/** Reads and writes tables of our own with {@code nft}. */
public final class NftablesDataplane implements Dataplane {
    /** 1.0.6 is the first with counters of set elements in its JSON; with an older one we could not recognise our own table. */
    public static final int OLDEST_TOOL = 1_00_06;

    private final NftTool tool;
    private final NodeLimits limits;
    private final TableReader reader;
    private final TableWriter writer;
    private final ForeignChains foreign;

    /** What an answer of {@link #observe} was read from, so that writing needs not read again. */
    private final Map<IpFamily, Look> looks = new ConcurrentHashMap<>();

    private record Look(FamilyState state, TableReader.Reading table) {}

    public NftablesDataplane(CommandRunner runner, NodeFiles files) {
        this.tool = new NftTool(runner);
        this.limits = new NodeLimits(files);
        this.reader = new TableReader(tool);
        this.writer = new TableWriter(tool);
        this.foreign = new ForeignChains(tool);
    }

    @Override
    public Probe probe() {
        Map<IpFamily, Failure> impossible = new EnumMap<>(IpFamily.class);
        for (IpFamily family : IpFamily.values()) {
            impossible(family).ifPresent(failure -> impossible.put(family, failure));
        }
        return new Probe(Backend.NFTABLES, "configured", impossible);
    }

    private Optional<Failure> impossible(IpFamily family) {
        if (!limits.mayAdministrate()) {
            return Optional.of(NodeLimits.NOT_PERMITTED);
        }
        if (!tool.isThere()) {
            return Optional.of(NftTool.MISSING);
        }
        int version = tool.version();
        if (version == 0 && tool.doubt().isPresent()) {
            return tool.doubt();
        }
        if (version != 0 && version < OLDEST_TOOL) {
            return Optional.of(NftTool.tooOld(version));
        }
        return family == IpFamily.IPV6 ? limits.ipv6Off() : Optional.empty();
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        return observe(chain, families, false);
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        return observe(chain, families, true);
    }

    private Observed observe(String chain, Set<IpFamily> families, boolean counters) {
        if (!tool.isThere()) {
            return new Observed(PerFamily.map(families, family -> new FamilyState.Unreadable(NftTool.MISSING)));
        }
        // one answer for both families, while their tables are read
        CompletableFuture<ForeignChains.Hooks> hooks = CompletableFuture.supplyAsync(
                foreign::hooks, Thread.ofPlatform().daemon().name("nft-chains")::start);
        return new Observed(PerFamily.map(families, family -> observe(chain, family, hooks, counters)));
    }

    private FamilyState observe(
            String chain, IpFamily family, CompletableFuture<ForeignChains.Hooks> hooks, boolean counters) {
        looks.remove(family);
        TableReader.Reading reading = reader.read(chain, family, counters);
        FamilyState state = switch (reading) {
            case TableReader.Broken(Failure broken) -> new FamilyState.Unreadable(broken);
            case NoTable no -> new FamilyState.Absent(shadows(chain, family, hooks.join()));
            case TableReader.Table(TableView table) -> {
                ShadowList all = new ShadowList();
                all.addAll(shadows(chain, family, hooks.join()));
                all.addAll(table.shadows());
                List<Shadow> shadows = all.list();
                yield table.chain().anythingOfOurs()
                        ? new FamilyState.Present(table.chain(), shadows)
                        : new FamilyState.Absent(shadows);
            }
        };
        looks.put(family, new Look(state, reading));
        return state;
    }

    /** Where the rules of others cannot be read, an entry reports that: our own table is still managed. */
    private List<Shadow> shadows(String chain, IpFamily family, ForeignChains.Hooks hooks) {
        ShadowList shadows = new ShadowList();
        hooks.failure()
                .or(() -> foreign.shadows(hooks, family, chain, shadows))
                .ifPresent(failure -> shadows.addAll(List.of(new Shadow.Untold(failure))));
        return shadows.list();
    }

    @Override
    public Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        return PerFamily.map(
                desired.families().keySet(),
                family -> apply(
                        desired.families().get(family),
                        family,
                        before.families().get(family)));
    }

    private ApplyOutcome apply(@Nullable FamilyRules desired, IpFamily family, @Nullable FamilyState state) {
        if (desired == null || state == null) {
            return new ApplyOutcome.Unchanged();
        }
        return switch (state) {
            case FamilyState.Unreadable unreadable -> new ApplyOutcome.Failed(unreadable.failure());
            case FamilyState.Present present
            when Drift.between(desired, present.chain()).isEmpty() -> new ApplyOutcome.Unchanged();
            case FamilyState.Present present -> writer.apply(desired, family, table(desired.chain(), family, state));
            case FamilyState.Absent absent -> writer.apply(desired, family, table(desired.chain(), family, state));
        };
    }

    @SuppressWarnings("ReferenceEquality") // only the very answer that the caller holds was read from that table
    private TableReader.Reading table(String chain, IpFamily family, FamilyState state) {
        Look look = looks.get(family);
        return look != null && look.state() == state ? look.table() : reader.read(chain, family, false);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        return tool.isThere()
                ? PerFamily.map(families, family -> writer.remove(family, chain, reader.read(chain, family, false)))
                : Map.of();
    }

    /** Our tables can be nowhere else. */
    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        return Map.of();
    }

    /** Major, minor and patch of the tool as one number, {@code 1_00_06} for 1.0.6; 0 if it is not there. */
    public int toolVersion() {
        return tool.isThere() ? tool.version() : 0;
    }

    /** Why the tool could not be asked for its version last time, if that can pass by itself. */
    public Optional<Failure> toolDoubt() {
        return tool.doubt();
    }

    /** The names of all tables, in any family; empty with the failure if they cannot be read. */
    public Tables tables() {
        Streamed<Set<String>> read = tool.listText(NftablesDataplane::names, "tables");
        return new Tables(read.value().orElse(Set.of()), NftTool.failure(read.outcome()));
    }

    /** Names of tables, or why they cannot be read. */
    public record Tables(Set<String> names, Optional<Failure> failure) {
        public Tables {
            names = Set.copyOf(names);
        }
    }

    private static Set<String> names(Reader listing) throws IOException {
        Set<String> names = new HashSet<>();
        Lines.read(listing, line -> names.add(line.substring(line.lastIndexOf(' ') + 1)));
        return names;
    }

    /** Every kernel that has what we need has this too. */
    @Override
    public boolean canRandomFully(IpFamily family) {
        return true;
    }
}
