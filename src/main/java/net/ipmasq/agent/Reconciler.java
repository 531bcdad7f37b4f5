package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProfileWriter;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Ruleset;
import net.ipmasq.text.Visible;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the node: read, compare, heal, read back. Holds no timer and no thread; the caller never runs two passes
 * at once. The sources may be asked meanwhile, by other threads.
 */
public final class Reconciler {
    private final Dataplane dataplane;
    private final Intake intake;
    private final StateStore store;
    private final Clock clock;
    private final Chooser chooser;
    private final Leftovers leftovers;
    private final StatusKeeper keeper;
    private final RandomFully randomFully;
    private final Healer healer;
    private ProviderProfile profile;
    private Optional<String> profileTrouble = Optional.empty();
    private Intake.@Nullable Judged last;

    /** With a profile that never changes; flags are applied to it already. */
    public Reconciler(
            Dataplane dataplane,
            ConfigSource source,
            ProviderProfile profile,
            StateStore store,
            Clock clock,
            Instant started) {
        this(dataplane, source, ProfileSource.none(), profile, store, clock, started);
    }

    /**
     * @param profiles what the provider wants
     * @param profile of the settings: in use until {@code profiles} has answered, and where it has none
     * @param started when the process started, by {@code clock}
     */
    public Reconciler(
            Dataplane dataplane,
            ConfigSource source,
            ProfileSource profiles,
            ProviderProfile profile,
            StateStore store,
            Clock clock,
            Instant started) {
        this.dataplane = dataplane;
        this.intake = new Intake(source, profiles, profile);
        this.profile = profile;
        this.store = store;
        this.clock = clock;
        this.chooser = new Chooser(profile, store);
        this.leftovers = new Leftovers(dataplane, store);
        this.keeper = new StatusKeeper(source.where(), clock, started);
        this.randomFully = new RandomFully(dataplane);
        this.healer = new Healer(dataplane, randomFully, keeper);
    }

    /** A pass that nothing in particular has brought about. */
    public AgentStatus pass() {
        return pass(Cause.SCHEDULE);
    }

    /** Asks the sources and runs one pass. */
    public AgentStatus pass(Cause cause) {
        look();
        return heal(cause);
    }

    /**
     * Runs one pass with what the sources said last, and says what it found and did. Asks them only when nobody has yet.
     * Never throws for what a node does.
     */
    AgentStatus heal(Cause cause) {
        Instant begin = clock.instant();
        Assessment assessment = assess(intake.latest().orElseGet(intake::read), true);
        Map<IpFamily, FamilyPass> results = assessment.results();
        healer.heal(assessment);
        keeper.inPlace(results);
        Instant end = clock.instant();
        if (assessment.outcome().isUsable()) {
            settle(assessment);
        } else {
            leftovers.hold(assessment.probe().backend().key());
        }
        store.retry();
        return keeper.status(assessment, cause, trouble(assessment.inForce()), begin, end);
    }

    /** Asks the sources and judges what they say; for any thread, since it can take long. */
    void look() {
        intake.read();
    }

    /** The same, but at once when another thread is at it: the last answer holds until that is done. */
    void lookUnlessBusy() {
        intake.readUnlessBusy();
    }

    /**
     * Whether the sources said something at the last look that no pass has worked on. Content decides: a touched file, or
     * a swap to the same text, is nothing new.
     */
    boolean hasNews() {
        return intake.latest()
                .filter(judged -> last == null || !judged.inputs().equals(last.inputs()))
                .isPresent();
    }

    /** Time after which another pass could do what this one could not, beyond the families; empty for nothing. */
    Optional<Duration> retryDelay() {
        return store.retryDelay();
    }

    /** What a pass would find, without writing anything. */
    public Assessment assess() {
        return assess(intake.read(), true);
    }

    /**
     * As {@link #assess}, for a look at a node where no agent may run: against what configuration and profile ask for, or
     * the last good state where they cannot be used; never against what the kernel itself shows, which is always in sync.
     */
    public Assessment assessAsked() {
        return assess(intake.read(), false);
    }

    private Assessment assess(Intake.Judged judged, boolean kernelCounts) {
        last = judged;
        profile = judged.profile();
        profileTrouble = judged.profileTrouble();
        chooser.use(profile);
        SourceReading<ConfigSource.Content> reading = judged.reading();
        ConfigOutcome outcome = judged.outcome();
        Probe probe = dataplane.probe();
        Observed kernel = chooser.needsKernel(outcome) && kernelCounts
                ? dataplane.observe(profile.chain().value(), possible(probe))
                : new Observed(Map.of());
        InForce inForce = chooser.choose(reading, outcome, evidence(kernel, probe));
        Families families = families(inForce, probe, kernel);
        Ruleset desired = randomFully.without(inForce.ruleset(families.managed()), probe.backend());
        boolean seen = desired.chain().equals(profile.chain().value())
                && kernel.families().keySet().containsAll(families.readable());
        if (!seen) {
            kernel = dataplane.observe(desired.chain(), families.readable());
        }
        families.judge(kernel);
        desired = desired.only(families.managed());
        Map<IpFamily, FamilyPass> results = compare(desired, kernel, families);
        return new Assessment(
                profile.name(),
                version(reading),
                outcome,
                findings(outcome, families),
                inForce,
                desired,
                probe,
                families,
                kernel,
                results);
    }

    /** What the choice goes by: rules that an earlier setting, or a classic agent, has in the other backend count too. */
    private Observed evidence(Observed kernel, Probe probe) {
        if (kernel.families().isEmpty() || Chooser.holdsRules(kernel)) {
            return kernel;
        }
        Observed elsewhere = dataplane.observeElsewhere(profile.chain().value(), possible(probe));
        return Chooser.holdsRules(elsewhere) ? elsewhere : kernel;
    }

    private static boolean isAbsentByApi(SourceReading<ConfigSource.Content> reading) {
        return reading instanceof SourceReading.Absent<ConfigSource.Content>(boolean byApi) && byApi;
    }

    private static Optional<ConfigSource.Version> version(SourceReading<ConfigSource.Content> reading) {
        return reading instanceof SourceReading.Present<ConfigSource.Content>(ConfigSource.Content content)
                ? content.version()
                : Optional.empty();
    }

    private Set<IpFamily> possible(Probe probe) {
        Set<IpFamily> possible =
                profile.ipv6().value() == Ipv6Mode.OFF ? EnumSet.of(IpFamily.IPV4) : EnumSet.allOf(IpFamily.class);
        possible.removeAll(probe.impossible().keySet());
        return possible;
    }

    private static Families families(InForce inForce, Probe probe, Observed kernel) {
        return switch (inForce) {
            case InForce.Configured configured ->
                new Families(configured.config().ipv6(), probe);
            case InForce.Found found -> new Families(found.rules().families().keySet(), probe, kernel);
            case InForce.Untouchable untouchable -> new Families(Set.of(), probe, new Observed(Map.of()));
        };
    }

    private static Map<IpFamily, FamilyPass> compare(Ruleset desired, Observed kernel, Families families) {
        Map<IpFamily, FamilyPass> results = new EnumMap<>(IpFamily.class);
        families.failures().forEach((family, failure) -> results.put(family, FamilyPass.failed(failure)));
        desired.families().forEach((family, rules) -> {
            FamilyState state = kernel.families().get(family);
            if (state != null && !results.containsKey(family)) {
                results.put(family, FamilyPass.compare(rules, state));
            }
        });
        return results;
    }

    /**
     * After a success with a source that has answered: what we used before goes, and the state in force is stored. While
     * the source has not answered, or with a bad text, nothing is taken away.
     */
    private void settle(Assessment assessment) {
        boolean success = !assessment.results().isEmpty()
                && assessment.results().values().stream().allMatch(FamilyPass::inSync);
        if (assessment.results().values().stream().anyMatch(FamilyPass::lackedTheChain)) {
            // for example 'run --once' with another backend beside this process: it moved the rules, and we are back
            leftovers.forget();
        }
        if (success && assessment.inForce() instanceof InForce.Configured configured) {
            Ruleset desired = assessment.desired();
            String backend = assessment.probe().backend().key();
            leftovers.clear(desired, backend, assessment.families().switchedOff());
            store.save(new StateStore.LastGood(
                    configured.text(),
                    ProfileWriter.write(configured.config().profile()),
                    leftovers.oldChain().orElse(desired.chain()),
                    leftovers.oldBackend().orElse(backend),
                    assessment
                            .version()
                            .map(ConfigSource.Version::resourceVersion)
                            .or(() ->
                                    last != null && isAbsentByApi(last.inputs().config())
                                            ? Optional.of(StateStore.NO_OBJECT)
                                            : Optional.empty())));
        }
    }

    private static Problems findings(ConfigOutcome outcome, Families families) {
        String why = families.whyNot(IpFamily.IPV6);
        boolean off = outcome instanceof ConfigOutcome.Loaded
                && families.switchedOff().isEmpty()
                && !why.isEmpty();
        return off && outcome instanceof ConfigOutcome.Loaded loaded
                ? ConfigJudge.ipv6Off(loaded.config(), "IPv6 is not available on this node (" + why + ")")
                : Problems.NONE;
    }

    private Map<String, String> trouble(InForce inForce) {
        Map<String, String> trouble = new java.util.TreeMap<>();
        store.trouble().ifPresent(text -> trouble.put("StateDirectory", text));
        profileTrouble.ifPresent(text -> trouble.put("ProfileInvalid", text));
        chooser.trouble().ifPresent(text -> trouble.putIfAbsent("StateDirectory", text));
        leftovers.trouble().ifPresent(text -> trouble.put("Leftovers", text));
        randomFully.trouble().ifPresent(text -> trouble.put("RandomFully", text));
        if (inForce instanceof InForce.Untouchable untouchable) {
            trouble.put(
                    "ForeignRule",
                    "without a usable configuration the chain " + untouchable.chain()
                            + " stays as it is, but is not healed: it holds a rule that this agent never writes: "
                            + Visible.line(untouchable.text()));
        }
        return trouble;
    }
}
