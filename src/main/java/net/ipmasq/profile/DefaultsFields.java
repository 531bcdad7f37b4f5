package net.ipmasq.profile;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Findings;
import net.ipmasq.config.KeyReader;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.config.Node;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.ScalarReader;
import net.ipmasq.net.Cidr;

/** The {@code defaults} of a profile: the keys of a configuration, read as there, but for {@code cidrLimit}. */
final class DefaultsFields {
    private static final ProviderProfile.Defaults SILENT = ProviderProfile.BUILT_IN.defaults();
    private static final List<String> KEYS = Arrays.stream(ConfigKey.values())
            .filter(key -> key != ConfigKey.CIDR_LIMIT)
            .map(ConfigKey::spelling)
            .toList();

    private final Origin origin;
    private final Findings findings;
    private final ScalarReader scalars;

    private Optional<List<Cidr>> nonMasqueradeCidrs = Optional.empty();
    private Optional<List<Cidr>> masqueradeCidrs = Optional.empty();
    private Optional<Boolean> masqOutBound = Optional.empty();
    private Optional<Boolean> masqOutBoundIpv6 = Optional.empty();
    private Optional<Boolean> masqLinkLocal = Optional.empty();
    private Optional<Boolean> masqLinkLocalIpv6 = Optional.empty();
    private Optional<Duration> resyncInterval = Optional.empty();

    DefaultsFields(Origin origin, Findings findings) {
        this.origin = origin;
        this.findings = findings;
        this.scalars = new ScalarReader(findings);
    }

    ProviderProfile.Defaults read(Node.Mapping mapping) {
        KeyReader keys = new KeyReader(KEYS, ProblemCode.PROFILE_UNKNOWN_KEY, "defaults.", findings);
        for (Known key : keys.read(mapping)) {
            if (!key.absent(findings)) {
                read(ConfigKey.of(key.key()).orElseThrow(), key);
            }
        }
        return new ProviderProfile.Defaults(
                ProfileFields.or(nonMasqueradeCidrs, SILENT.nonMasqueradeCidrs(), origin),
                ProfileFields.or(masqueradeCidrs, SILENT.masqueradeCidrs(), origin),
                ProfileFields.or(masqOutBound, SILENT.masqOutBound(), origin),
                ProfileFields.or(masqOutBoundIpv6, SILENT.masqOutBoundIpv6(), origin),
                ProfileFields.or(masqLinkLocal, SILENT.masqLinkLocal(), origin),
                ProfileFields.or(masqLinkLocalIpv6, SILENT.masqLinkLocalIpv6(), origin),
                ProfileFields.or(resyncInterval, SILENT.resyncInterval(), origin));
    }

    private void read(ConfigKey which, Known key) {
        switch (which) {
            case NON_MASQUERADE_CIDRS -> nonMasqueradeCidrs = ProfileFields.cidrs(key, findings);
            case MASQUERADE_CIDRS -> masqueradeCidrs = ProfileFields.cidrs(key, findings);
            case MASQ_OUT_BOUND -> masqOutBound = scalars.bool(key);
            case MASQ_OUT_BOUND_IPV6 -> masqOutBoundIpv6 = scalars.bool(key);
            case MASQ_LINK_LOCAL -> masqLinkLocal = scalars.bool(key);
            case MASQ_LINK_LOCAL_IPV6 -> masqLinkLocalIpv6 = scalars.bool(key);
            case RESYNC_INTERVAL -> resyncInterval = scalars.duration(key);
            case CIDR_LIMIT -> throw new IllegalStateException("cidrLimit is a key of the profile itself");
        }
    }
}
