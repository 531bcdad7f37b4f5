package net.ipmasq.agent;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is in force (docs/behaviour.md, "What is in force"), the first of these that applies: a usable text; the
 * profile, when the source reports that there is no text; what was in force before; the stored last good state; what the
 * kernel holds; the profile.
 */
final class DesiredStateResolver {
    private final StateStore store;
    private ProviderProfile profile;
    private Optional<DesiredState> lastGood = Optional.empty();
    private @Nullable DesiredState current;

    /** Rules found in the kernel, as they were when first seen. */
    private final Map<IpFamily, FamilyRules> found = new EnumMap<>(IpFamily.class);

    private Optional<String> issue = Optional.empty();

    DesiredStateResolver(ProviderProfile profile, StateStore store) {
        this.profile = profile;
        this.store = store;
    }

    /** From now on texts are judged under this profile. */
    void use(ProviderProfile changed) {
        profile = changed;
    }

    /** Whether the kernel has to be looked at before {@link #choose} can answer. */
    boolean needsKernel(ConfigOutcome outcome) {
        boolean usable = outcome.isUsable();
        if (usable) {
            // from here on that state is replaced by a good one
            issue = Optional.empty();
        }
        if (usable || current != null) {
            return false;
        }
        Optional<StateStore.LastGood> stored = store.load();
        lastGood = stored.flatMap(DesiredStateResolver::restore);
        issue = stored.isPresent() && lastGood.isEmpty()
                ? Optional.of("the stored last good state cannot be used by this version, so it is not in force")
                : Optional.empty();
        return lastGood.isEmpty();
    }

    /**
     * What is in force from now on.
     *
     * @param kernel what the kernel shows; may be empty when {@link #needsKernel} is false
     */
    DesiredState choose(SourceReading<ConfigSource.Content> reading, ConfigOutcome outcome, Observed kernel) {
        DesiredState chosen = switch (outcome) {
            case ConfigOutcome.Loaded loaded ->
                new DesiredState.Configured(
                        DesiredState.From.CONFIG,
                        EffectiveConfig.of(loaded.config(), profile),
                        Optional.of(text(reading)));
            case ConfigOutcome.Absent absent -> profileAlone();
            case ConfigOutcome.Unknown unknown -> unusable(kernel);
            case ConfigOutcome.Invalid invalid -> unusable(kernel);
        };
        if (current != null || isFirm(outcome, chosen, kernel)) {
            current = chosen;
        }
        return chosen;
    }

    /**
     * Whether a choice holds until a usable text comes. One that was made without having read every family does not:
     * unreadable is not empty, so the next pass looks again.
     */
    private static boolean isFirm(ConfigOutcome outcome, DesiredState chosen, Observed kernel) {
        boolean fallback = !outcome.isUsable()
                && chosen instanceof DesiredState.Configured(DesiredState.From from, var config, var text)
                && from == DesiredState.From.PROFILE;
        boolean rests = fallback || chosen instanceof DesiredState.Found;
        boolean sawAll = !kernel.families().isEmpty()
                && kernel.families().values().stream().noneMatch(FamilyState.Unreadable.class::isInstance);
        return !rests || sawAll;
    }

    private static String text(SourceReading<ConfigSource.Content> reading) {
        return reading instanceof SourceReading.Present<ConfigSource.Content>(ConfigSource.Text text)
                ? new String(text.bytes(), StandardCharsets.UTF_8)
                : "";
    }

    private DesiredState profileAlone() {
        return new DesiredState.Configured(
                DesiredState.From.PROFILE, EffectiveConfig.of(AgentConfig.EMPTY, profile), Optional.empty());
    }

    private DesiredState unusable(Observed kernel) {
        if (current != null) {
            return current;
        }
        return lastGood.or(() -> found(kernel)).orElseGet(this::profileAlone);
    }

    /** The stored state with its own profile, exactly as it was in force. */
    private static Optional<DesiredState> restore(StateStore.LastGood state) {
        byte[] yaml = state.profile().getBytes(StandardCharsets.UTF_8);
        if (!(ProfileReader.read(yaml, "last-good") instanceof ProfileReader.Good good)) {
            return Optional.empty();
        }
        ConfigOutcome outcome = state.configText()
                .map(text -> ConfigJudge.judge(ConfigReader.read(text), good.profile()))
                .orElseGet(() -> new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of()));
        return outcome instanceof ConfigOutcome.Loaded loaded
                ? Optional.of(new DesiredState.Configured(
                        DesiredState.From.LAST_GOOD,
                        EffectiveConfig.of(loaded.config(), good.profile()),
                        state.configText()))
                : Optional.empty();
    }

    /** What is wrong with the stored state; empty while nothing is, or while it was not needed. */
    Optional<String> issue() {
        return issue;
    }

    private Optional<DesiredState> found(Observed kernel) {
        for (Map.Entry<IpFamily, FamilyState> entry : kernel.families().entrySet()) {
            if (entry.getValue() instanceof FamilyState.Present(ObservedChain chain, var shadows) && isInUse(chain)) {
                for (ObservedChain.Line line : chain.lines()) {
                    if (line.meaning().isEmpty()) {
                        return Optional.of(new DesiredState.Untouchable(chain.chain(), line.text(), interval()));
                    }
                }
                List<Rule> rules = chain.lines().stream()
                        .flatMap(line -> line.rule().or(line::meaning).stream())
                        .toList();
                found.putIfAbsent(
                        entry.getKey(),
                        chain.sets()
                                ? new FamilyRules.Listed(chain.chain(), rules)
                                : FamilyRules.found(chain.chain(), rules));
            }
        }
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new DesiredState.Found(Ruleset.of(profile.chain().value(), found), interval()));
    }

    /** Whether any family has rules of ours that are in use. */
    static boolean holdsRules(Observed kernel) {
        return kernel.families().values().stream()
                .anyMatch(state ->
                        state instanceof FamilyState.Present(ObservedChain chain, var shadows) && isInUse(chain));
    }

    /** An empty chain that nothing leads to is what a flush of the whole table leaves, not somebody's configuration. */
    private static boolean isInUse(ObservedChain chain) {
        return chain.present() && (!chain.lines().isEmpty() || !chain.jumps().isEmpty());
    }

    private java.time.Duration interval() {
        return profile.defaults().get(ConfigKey.RESYNC_INTERVAL).value();
    }
}
