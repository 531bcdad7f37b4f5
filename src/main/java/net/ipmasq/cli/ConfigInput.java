package net.ipmasq.cli;

import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.agent.UsageException;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigOutcome;
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
        ProviderProfile profile = Profiles.of(settings);
        ConfigOutcome outcome = ConfigSource.judge(Sources.file(settings).read(), profile);
        if (outcome instanceof ConfigOutcome.Unknown unknown) {
            throw new UsageException(unknown.why());
        }
        AgentConfig config = outcome instanceof ConfigOutcome.Loaded loaded ? loaded.config() : AgentConfig.EMPTY;
        return new ConfigInput(outcome, EffectiveConfig.of(config, profile));
    }
}
