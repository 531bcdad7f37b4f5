package net.ipmasq.cli;

import java.util.Optional;
import net.ipmasq.agent.Assembly;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.ProviderProfile;

/**
 * The configuration file of the settings, judged under their profile, for commands that do not look at the kernel.
 *
 * @param effective the values in force; the profile's alone when the text is not usable
 */
record ConfigInput(ConfigOutcome outcome, EffectiveConfig effective) {

    /**
     * @throws UsageException if the file cannot be read
     */
    static ConfigInput read(Settings settings) {
        ProviderProfile profile = Assembly.profile(settings);
        ConfigOutcome outcome = switch (Assembly.source(settings).read()) {
            case ConfigSource.Unknown unknown -> throw new UsageException(unknown.why());
            case ConfigSource.Absent absent -> new ConfigOutcome.Absent();
            case ConfigSource.Unusable unusable -> new ConfigOutcome.Invalid(unusable.problems());
            case ConfigSource.Text text -> ConfigJudge.judge(ConfigReader.read(text.bytes()), profile);
        };
        AgentConfig config = Optional.of(outcome)
                .filter(ConfigOutcome.Loaded.class::isInstance)
                .map(loaded -> ((ConfigOutcome.Loaded) loaded).config())
                .orElse(AgentConfig.EMPTY);
        return new ConfigInput(outcome, EffectiveConfig.of(config, profile));
    }
}
