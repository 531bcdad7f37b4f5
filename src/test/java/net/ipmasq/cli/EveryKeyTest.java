package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProfileWriter;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A key that is declared in {@link ConfigKey} is read, taken from profiles, written and shown. The tests of docs and of the schema hold their
 * tables of keys to the same declarations.
 */
class EveryKeyTest {
    private static final List<ConfigKey<?>> KEYS = ConfigKey.ALL;

    private static String line(ConfigKey<?> key) {
        return key.spelling() + ": "
                + switch (key) {
                    case ConfigKey.CidrList list -> "[10.0.0.0/8]";
                    case ConfigKey.Single<?> single -> shown(single);
                };
    }

    private static <T> Object shown(ConfigKey.Single<T> key) {
        return key.shown().apply(key.builtIn());
    }

    private static EffectiveConfig effective(String text, ProviderProfile profile) {
        ConfigOutcome outcome = ConfigReader.read(text);
        assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
        return EffectiveConfig.of(((ConfigOutcome.Loaded) outcome).config(), profile);
    }

    private static List<Origin> origins(EffectiveConfig config, ConfigKey<?> key) {
        return switch (key) {
            case ConfigKey.CidrList list ->
                config.get(list).stream().map(EffectiveConfig.Entry::origin).toList();
            case ConfigKey.Single<?> single -> List.of(config.get(single).origin());
        };
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void aTextGivesIt(ConfigKey<?> key) {
        assertThat(origins(effective(line(key), ProviderProfile.BUILT_IN), key)).containsExactly(Origin.config(1));
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void aProfileGivesIt(ConfigKey<?> key) {
        String text = (ConfigKey.OF_DEFAULTS.contains(key) ? "name: acme\ndefaults:\n  " : "name: acme\n") + line(key);
        ProfileReader.Result read = ProfileReader.read(text.getBytes(StandardCharsets.UTF_8), "otherwise");
        assertThat(read).isInstanceOf(ProfileReader.Good.class);
        ProviderProfile profile = ((ProfileReader.Good) read).profile();
        assertThat(origins(effective("", profile), key)).containsExactly(Origin.profile("acme"));
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void itIsShown(ConfigKey<?> key) {
        EffectiveConfig config = effective(line(key), ProviderProfile.BUILT_IN);
        assertThat(ProfileWriter.write(ProviderProfile.BUILT_IN).lines())
                .filteredOn(line -> line.strip().startsWith(key.spelling() + ":"))
                .hasSize(1);
        assertThat(JsonDocuments.effective(config)).containsKey(key.spelling());
        assertThat(EffectiveTable.of(config).lines())
                .filteredOn(row -> row.startsWith(key.spelling() + " "))
                .singleElement()
                .asString()
                .endsWith("config line 1");
    }

    @Test
    void bothOrdersHaveEveryKeyOnce() {
        assertThat(ConfigKey.ALL).doesNotHaveDuplicates();
        assertThat(ConfigKey.AS_EVALUATED).containsExactlyInAnyOrderElementsOf(ConfigKey.ALL);
        assertThat(JsonDocuments.effective(effective("", ProviderProfile.BUILT_IN)).keySet().stream()
                        .limit(ConfigKey.ALL.size()))
                .containsExactlyElementsOf(ConfigKey.spellings(ConfigKey.AS_EVALUATED));
    }
}
