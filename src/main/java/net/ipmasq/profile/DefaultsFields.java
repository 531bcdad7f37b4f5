package net.ipmasq.profile;

import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.Findings;
import net.ipmasq.config.KeyReader;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.ScalarReader;
import net.ipmasq.config.SyntaxNode;
import net.ipmasq.net.Cidr;

/** Reads the {@code defaults} of a profile: keys of a configuration, with the same rules as there. */
final class DefaultsFields {
    private static final List<String> KEYS = ConfigKey.spellings(ConfigKey.OF_DEFAULTS);

    private final Origin origin;
    private final Findings findings;
    private final ScalarReader scalars;

    private ProviderProfile.Defaults defaults = ProviderProfile.BUILT_IN.defaults();

    DefaultsFields(Origin origin, Findings findings) {
        this.origin = origin;
        this.findings = findings;
        this.scalars = new ScalarReader(findings);
    }

    ProviderProfile.Defaults read(SyntaxNode.Mapping mapping) {
        KeyReader keys = new KeyReader(KEYS, ProblemCode.PROFILE_UNKNOWN_KEY, "defaults.", findings);
        for (Known key : keys.read(mapping)) {
            if (!key.absent(findings)) {
                switch (ConfigKey.of(key.key()).orElseThrow()) {
                    case CidrList list -> read(list, key);
                    case ConfigKey.Single<?> single -> read(single, key);
                }
            }
        }
        return defaults;
    }

    private void read(CidrList which, Known key) {
        Optional<List<Cidr>> cidrs = ProfileFields.cidrs(key, findings);
        cidrs.ifPresent(list -> defaults = defaults.with(which, new Value<>(list, origin)));
    }

    private <T> void read(ConfigKey.Single<T> which, Known key) {
        Optional<T> value = which.reader().apply(scalars, key);
        value.ifPresent(v -> defaults = defaults.with(which, new Value<>(v, origin)));
    }
}
