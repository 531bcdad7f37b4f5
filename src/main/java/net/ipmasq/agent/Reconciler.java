package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.ipmasq.dataplane.Dataplane;
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
    private final ConfigLoader loader;
    private final StateStore store;
    private final Clock clock;
    private final Assessor assessor;
    private final StaleRules staleRules;
    private final StatusTracker tracker;
    private final RandomFullyFallback randomFully;
    private final Healer healer;
    private ConfigLoader.@Nullable Judged last;

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
        this.loader = new ConfigLoader(source, profiles, profile);
        this.store = store;
        this.clock = clock;
        this.staleRules = new StaleRules(dataplane, store);
        this.tracker = new StatusTracker(source.where(), clock, started);
        this.randomFully = new RandomFullyFallback(dataplane);
        this.assessor = new Assessor(dataplane, new DesiredStateResolver(profile, store), randomFully);
        this.healer = new Healer(dataplane, randomFully, tracker);
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
     * Runs one pass with what the sources reported last, and returns what it found and did. Asks them only when nobody has
     * yet. Never throws for what a node does.
     */
    AgentStatus heal(Cause cause) {
        Instant begin = clock.instant();
        ConfigLoader.Judged judged = loader.latest().orElseGet(loader::read);
        last = judged;
        Assessment assessment = assessor.assess(judged);
        healer.heal(assessment);
        if (assessment.inSync()) {
            // also where nothing had to be written
            tracker.rulesInPlace();
        }
        Instant end = clock.instant();
        if (assessment.outcome().isUsable()) {
            settle(assessment, judged.inputs().config());
        } else {
            staleRules.hold(assessment.probe().backend().key());
        }
        store.retry();
        return tracker.status(assessment, cause, issue(judged, assessment.inForce()), begin, end);
    }

    /** Asks the sources and judges their answers; for any thread, since it can take long. */
    void look() {
        loader.read();
    }

    /** The same, but returns at once while another thread does it: the last answer applies until that is done. */
    void lookUnlessBusy() {
        loader.readUnlessBusy();
    }

    /**
     * Whether the sources reported something at the last look that no pass has worked on. Content decides: a touched file, or
     * a swap to the same text, is nothing new.
     */
    boolean hasNews() {
        return loader.latest()
                .filter(judged -> last == null || !judged.inputs().equals(last.inputs()))
                .isPresent();
    }

    /** Time after which another pass could do what this one could not, beyond the families; empty for nothing. */
    Optional<Duration> retryDelay() {
        return store.retryDelay();
    }

    /** What a pass would find, without writing anything. */
    public Assessment assess() {
        return assessor.assess(loader.read());
    }

    /**
     * As {@link #assess}, for a look at a node where no agent may run: against what configuration and profile ask for, or
     * the last good state where they cannot be used; never against what the kernel itself shows, which is always in sync.
     */
    public Assessment assessAsked() {
        return assessor.assessAsked(loader.read());
    }

    private static boolean isAbsentByApi(SourceReading<ConfigSource.Content> reading) {
        return reading instanceof SourceReading.Absent<ConfigSource.Content>(boolean byApi) && byApi;
    }

    /**
     * After a success with a source that has answered: what we used before goes, and the state in force is stored. While
     * the source has not answered, or with a bad text, nothing is taken away.
     */
    private void settle(Assessment assessment, SourceReading<ConfigSource.Content> reading) {
        if (assessment.results().values().stream().anyMatch(FamilyPass::lackedTheChain)) {
            // for example 'run --once' with another backend beside this process: it moved the rules, and we are back
            staleRules.forget();
        }
        if (assessment.inSync() && assessment.inForce() instanceof DesiredState.Configured configured) {
            Ruleset desired = assessment.desired();
            String backend = assessment.probe().backend().key();
            staleRules.clear(desired, backend, assessment.families().switchedOff());
            store.save(new StateStore.LastGood(
                    configured.text(),
                    ProfileWriter.write(configured.config().profile()),
                    staleRules.oldChain().orElse(desired.chain()),
                    staleRules.oldBackend().orElse(backend),
                    assessment
                            .version()
                            .map(ConfigSource.Version::resourceVersion)
                            .or(() -> isAbsentByApi(reading) ? Optional.of(StateStore.NO_OBJECT) : Optional.empty())));
        }
    }

    private Map<String, String> issue(ConfigLoader.Judged judged, DesiredState inForce) {
        Map<String, String> issue = new TreeMap<>();
        store.issue().ifPresent(text -> issue.put("StateDirectory", text));
        judged.profileIssue().ifPresent(text -> issue.put("ProfileInvalid", text));
        assessor.issue().ifPresent(text -> issue.putIfAbsent("StateDirectory", text));
        staleRules.issue().ifPresent(text -> issue.put("Leftovers", text));
        randomFully.issue().ifPresent(text -> issue.put("RandomFully", text));
        if (inForce instanceof DesiredState.Untouchable untouchable) {
            issue.put(
                    "ForeignRule",
                    "without a usable configuration the chain " + untouchable.chain()
                            + " stays as it is, but is not healed: it holds a rule that this agent never writes: "
                            + Visible.line(untouchable.text()));
        }
        return issue;
    }
}
