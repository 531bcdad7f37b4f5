package net.ipmasq.agent;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Drift;

/** The agent without its framework: a loop over a dataplane, with a source and a clock in the test's hand. */
final class AgentRig {
    static final String CHAIN = "IP-MASQ-AGENT";

    private final Dataplane dataplane;
    private final ProviderProfile profile;
    private final Path stateDir;
    private final SteppingClock clock;
    private final HandSource source = new HandSource();
    private final Reconciler reconciler;
    private final AgentLoop loop;

    /** A source that says what it was told to say. */
    private static final class HandSource implements ConfigSource {
        private SourceReading<Content> reading = new SourceReading.Absent<>(false);

        @Override
        public SourceReading<Content> read() {
            return reading;
        }

        @Override
        public String where() {
            return "a test";
        }
    }

    AgentRig(Dataplane dataplane, ProviderProfile profile, Path stateDir) {
        this(dataplane, profile, stateDir, new SteppingClock());
    }

    /** With a clock that a gate before the dataplane, or something that listens, has too. */
    AgentRig(Dataplane dataplane, Path stateDir, SteppingClock clock) {
        this(dataplane, Profiles.named("cce"), stateDir, clock);
    }

    private AgentRig(Dataplane dataplane, ProviderProfile profile, Path stateDir, SteppingClock clock) {
        this.dataplane = dataplane;
        this.profile = profile;
        this.stateDir = stateDir;
        this.clock = clock;
        this.reconciler =
                new Reconciler(dataplane, source, profile, new StateStore(stateDir, clock), clock, clock.instant());
        this.loop = new AgentLoop(reconciler);
    }

    /** With the profile {@code cce}. */
    AgentRig(Dataplane dataplane, Path stateDir) {
        this(dataplane, Profiles.named("cce"), stateDir);
    }

    /** A new process over the same kernel and state directory, its source saying the same. */
    AgentRig restarted() {
        return restarted(profile);
    }

    AgentRig restarted(ProviderProfile other) {
        AgentRig fresh = new AgentRig(dataplane, other, stateDir);
        fresh.source.reading = source.reading;
        return fresh;
    }

    AgentRig config(String text) {
        source.reading = new SourceReading.Present<>(new ConfigSource.Text(text.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    AgentRig absent() {
        source.reading = new SourceReading.Absent<>(false);
        return this;
    }

    AgentRig unknown() {
        source.reading = new SourceReading.Unknown<>("the source sleeps");
        return this;
    }

    /** A pass, a minute after the last one. */
    AgentStatus pass() {
        clock.advance(Duration.ofMinutes(1));
        return loop.pass();
    }

    AgentLoop loop() {
        return loop;
    }

    Assessment assess() {
        return reconciler.assess();
    }

    Assessment assessAsked() {
        return reconciler.assessAsked();
    }

    Dataplane dataplane() {
        return dataplane;
    }

    /** The rules of a chain as the kernel shows them; empty if the chain is not there. */
    List<String> rules(IpFamily family, String chain) {
        FamilyState state =
                dataplane.observe(chain, EnumSet.of(family)).families().get(family);
        return state instanceof FamilyState.Present present
                ? present.chain().lines().stream().map(line -> line.text()).toList()
                : List.of();
    }

    static FamilyStatus family(AgentStatus status, IpFamily family) {
        return Optional.ofNullable(status.families().get(family)).orElseThrow();
    }

    static List<Drift.Kind> drift(AgentStatus status, IpFamily family) {
        return family(status, family).drift().stream()
                .map(Drift.Difference::kind)
                .toList();
    }

    static Optional<String> failure(AgentStatus status, IpFamily family) {
        return family(status, family).failure().map(Failure::code).map(code -> code.key());
    }
}
