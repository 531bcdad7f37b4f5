package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteppingClock;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProfileOverrides;
import net.ipmasq.profile.ProfileWriter;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider's ConfigMap over the process' own profile. */
class ClusterProfileTest {
    private static final ProviderProfile OWN = Profiles.named("cce");
    private static final ConfigMapRef REF = new ConfigMapRef("kube-system", "cce-ip-masq-agent-profile");
    private static final String FLEET = "name: fleet\ndefaults:\n  nonMasqueradeCIDRs: [10.55.0.0/16]\n";
    private static final String BAD = "name: fleet\ndefaults:\n  nonMasqueradeCIDRs: [10.55.0.1/16]\n";
    private static final ProfileOverrides NONE = overrides(Optional.empty());
    private static final ProfileOverrides CHAIN = overrides(Optional.of("MY-CHAIN"));

    @TempDir
    private Path directory;

    private final ConfigMapCache config = new ConfigMapCache("the ConfigMap");
    private final ConfigMapCache profile = new ConfigMapCache("the profile");
    private int version;

    private static ProfileOverrides overrides(Optional<String> chain) {
        return new ProfileOverrides(
                chain,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private StateStore store() {
        return new StateStore(directory);
    }

    private ClusterConfig config() {
        return new ClusterConfig(config, OWN.configMap(), Optional.empty(), store());
    }

    private ClusterProfile source(ProfileOverrides flags, boolean mayFallBack) {
        return new ClusterProfile(profile, config(), REF, OWN, flags, store(), mayFallBack);
    }

    private ClusterProfile source() {
        return source(NONE, false);
    }

    private void answered(String key, String text) {
        answer(profile, Map.of(key, text));
    }

    private void answer(ConfigMapCache watched, Map<String, String> data) {
        watched.answered(new SourceReading.Present<>(
                new ConfigMapData(data, Map.of(), new Version("uid", String.valueOf(++version)))));
    }

    private static ProfileSource.Selected known(ProfileSource source) {
        if (source.read() instanceof SourceReading.Present<ProfileSource.Selected>(ProfileSource.Selected selected)) {
            return selected;
        }
        throw new AssertionError(source.read());
    }

    private void stored(ProviderProfile before) {
        store().save(new StateStore.LastGood(
                Optional.empty(), ProfileWriter.write(before), before.chain().value(), "b", Optional.of("3")));
    }

    private static ProviderProfile fleet() {
        return ((net.ipmasq.profile.ProfileReader.Good) net.ipmasq.profile.ProfileReader.read(
                        FLEET.getBytes(java.nio.charset.StandardCharsets.UTF_8), ""))
                .profile();
    }

    @Test
    void nothingIsKnownUntilTheApiHasAnswered() {
        ClusterProfile source = source();
        assertThat(source.read()).isInstanceOf(SourceReading.Unknown.class);
        profile.failed("may not read it (403)");
        assertThat(source.read()).isEqualTo(new SourceReading.Unknown<>("may not read it (403)"));
        profile.answered(new SourceReading.Absent<>(true));
        assertThat(known(source)).isEqualTo(new ProfileSource.Selected(OWN, Optional.empty()));
    }

    @Test
    void theClustersProfileTakesThePlaceOfOursAndLeavesIt() {
        ClusterProfile source = source();
        answered("profile", FLEET);
        assertThat(known(source)).isEqualTo(new ProfileSource.Selected(fleet(), Optional.empty()));
        profile.failed("gone");
        assertThat(known(source).profile().name()).isEqualTo("fleet");
        profile.answered(new SourceReading.Absent<>(true));
        assertThat(known(source).profile()).isEqualTo(OWN);
    }

    @Test
    void aBadOneKeepsTheLastValidOneAndSaysSo() {
        ClusterProfile source = source();
        answered("profile", FLEET);
        source.read();
        answered("profile", BAD);
        assertThat(known(source).profile()).isEqualTo(fleet());
        assertThat(known(source).issue())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains(
                                "kube-system/cce-ip-masq-agent-profile is not valid",
                                "fleet stays in use",
                                "line 3",
                                "10.55.0.0/16"));
        answered("prfile", FLEET);
        assertThat(known(source).profile()).isEqualTo(fleet());
        assertThat(known(source).issue())
                .hasValueSatisfying(why -> assertThat(why).contains("no key 'profile'", "prfile"));
        answered("profile", FLEET);
        assertThat(known(source).issue()).isEmpty();
    }

    @Test
    void aBadOneAtStartKeepsWhatWasInForceBeforeOrOurOwn() {
        answered("profile", BAD);
        assertThat(known(source()).profile()).isEqualTo(OWN);
        assertThat(known(source()).issue()).isPresent();
        stored(fleet());
        assertThat(known(source()).profile().name()).isEqualTo("fleet");
        assertThat(known(source()).issue()).isPresent();
    }

    @Test
    void flagsStandOverEveryProfile() {
        answered("profile", FLEET);
        assertThat(known(source(CHAIN, false)).profile()).isEqualTo(CHAIN.applyTo(fleet()));
        answered("profile", BAD);
        assertThat(known(source(CHAIN, false)).profile().chain().value()).isEqualTo("MY-CHAIN");
        // stored by a process that was started without the flag
        stored(fleet());
        assertThat(known(source(CHAIN, false)).profile().chain().value()).isEqualTo("MY-CHAIN");
        profile.answered(new SourceReading.Absent<>(true));
        assertThat(known(source(CHAIN, false)).profile()).isEqualTo(CHAIN.applyTo(OWN));
    }

    @Test
    void besideTheMountedFileTheProfileOfBeforeCounts() {
        assertThat(known(source(NONE, true)).profile()).isEqualTo(OWN);
        stored(fleet());
        assertThat(known(source(NONE, true)).profile().name()).isEqualTo("fleet");
        // the text is the API's now, and would be judged under a profile that may be old
        config.answered(new SourceReading.Absent<>(true));
        assertThat(source(NONE, true).read()).isInstanceOf(SourceReading.Unknown.class);
    }

    @Test
    void aConfigurationWaitsForItsProfile() {
        answer(config, Map.of("config", "masqOutBound: false\n"));
        SteppingClock clock = new SteppingClock();
        Reconciler reconciler =
                new Reconciler(new InMemoryDataplane(), config(), source(), OWN, store(), clock, clock.instant());
        AgentStatus held = reconciler.pass();
        assertThat(held.config().outcome()).isInstanceOf(ConfigOutcome.Unknown.class);
        assertThat(held.config().version()).isEmpty();
        answered("profile", FLEET);
        AgentStatus judged = reconciler.pass();
        assertThat(judged.config().outcome()).isInstanceOf(ConfigOutcome.Loaded.class);
        assertThat(judged.config().profile()).isEqualTo("fleet");
        answered("profile", BAD);
        assertThat(reconciler.pass().issue()).containsOnlyKeys("ProfileInvalid");
    }
}
