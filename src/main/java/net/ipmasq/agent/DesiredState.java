package net.ipmasq.agent;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.rules.Ruleset;

/** What the kernel is kept at, and where that comes from. */
public sealed interface DesiredState {

    /**
     * A configuration and a profile.
     *
     * @param text the configuration text; empty when there was none
     */
    record Configured(From from, EffectiveConfig config, Optional<String> text) implements DesiredState {}

    /** Rules found in the kernel, when no usable configuration was ever seen: a classic agent's, for example. */
    record Found(Ruleset rules, Duration interval) implements DesiredState {}

    /**
     * Rules of ours are in the kernel, but hold something that we never write: they stay as they are.
     *
     * @param text the first such rule
     */
    record Untouchable(String chain, String text, Duration interval) implements DesiredState {}

    /** Where a configuration in force comes from. */
    enum From {
        CONFIG,
        PROFILE,
        LAST_GOOD;

        String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** For people and JSON: {@code config}, {@code profile}, {@code last-good} or {@code kernel}. */
    default String origin() {
        return switch (this) {
            case Configured configured -> configured.from().key();
            case Found found -> "kernel";
            case Untouchable untouchable -> "kernel";
        };
    }

    default Duration interval() {
        return switch (this) {
            case Configured configured ->
                configured.config().get(ConfigKey.RESYNC_INTERVAL).value();
            case Found found -> found.interval();
            case Untouchable untouchable -> untouchable.interval();
        };
    }

    /** The rules for the families that this node manages. */
    default Ruleset ruleset(Set<IpFamily> managed) {
        return switch (this) {
            case Configured configured ->
                Ruleset.of(
                        MasqPolicy.of(configured.config(), managed),
                        configured.config().chain());
            case Found found -> found.rules().only(managed);
            case Untouchable untouchable -> Ruleset.of(untouchable.chain(), java.util.Map.of());
        };
    }
}
