package net.ipmasq.profile;

import java.util.List;
import java.util.Optional;
import net.ipmasq.config.CidrListReader;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Findings;
import net.ipmasq.config.KeyReader;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.ScalarReader;
import net.ipmasq.config.SyntaxNode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;

/** Reads the keys of a profile into a {@link ProviderProfile}. */
final class ProfileFields {
    private static final ProviderProfile SILENT = ProviderProfile.BUILT_IN;
    private static final List<String> KEYS = List.of(
            "name", "configMap", "chain", "ipv6", "randomFully", "cidrLimit", "toPorts", "defaults", "enforced");

    private final Findings findings;
    private final ProfileValues values;
    private final ScalarReader scalars;

    private String name;
    private ConfigMapRef configMap = SILENT.configMap();
    private Optional<String> chain = Optional.empty();
    private Optional<Ipv6Mode> ipv6 = Optional.empty();
    private Optional<Boolean> randomFully = Optional.empty();
    private Optional<Integer> cidrLimit = Optional.empty();
    private Optional<List<PortRange>> toPorts = Optional.empty();
    private Optional<SyntaxNode.Mapping> defaults = Optional.empty();
    private List<Cidr> enforced = List.of();

    ProfileFields(String nameOtherwise, Findings findings) {
        this.name = nameOtherwise;
        this.findings = findings;
        this.values = new ProfileValues(findings);
        this.scalars = new ScalarReader(findings);
    }

    ProviderProfile read(SyntaxNode.Mapping mapping) {
        for (Known key : keys(KEYS, "", mapping)) {
            read(key);
        }
        // the defaults need the name, which may come after them
        Origin origin = Origin.profile(name);
        ProviderProfile.Defaults read =
                defaults.map(d -> new DefaultsFields(origin, findings).read(d)).orElse(SILENT.defaults());
        return new ProviderProfile(
                name,
                configMap,
                or(chain, SILENT.chain(), origin),
                or(ipv6, SILENT.ipv6(), origin),
                or(randomFully, SILENT.randomFully(), origin),
                or(toPorts, SILENT.toPorts(), origin),
                cidrLimit
                        .map(limit -> read.with(ConfigKey.CIDR_LIMIT, new Value<>(limit, origin)))
                        .orElse(read),
                enforced);
    }

    private List<Known> keys(List<String> known, String prefix, SyntaxNode.Mapping mapping) {
        return new KeyReader(known, ProblemCode.PROFILE_UNKNOWN_KEY, prefix, findings)
                .read(mapping).stream().filter(key -> !key.absent(findings)).toList();
    }

    private void read(Known key) {
        switch (key.key()) {
            case "name" -> values.profileName(key).ifPresent(text -> name = text);
            case "configMap" -> values.mapping(key).ifPresent(this::readConfigMap);
            case "chain" -> chain = values.chain(key);
            case "ipv6" -> ipv6 = values.ipv6(key);
            case "randomFully" -> randomFully = scalars.bool(key);
            case "cidrLimit" -> cidrLimit = scalars.limit(key);
            case "toPorts" -> toPorts = values.ports(key);
            case "defaults" -> defaults = values.mapping(key);
            case "enforced" -> enforced = cidrs(key, findings).orElse(enforced);
            default -> throw new IllegalStateException("a key without a reader: " + key.key());
        }
    }

    private void readConfigMap(SyntaxNode.Mapping mapping) {
        for (Known key : keys(List.of("namespace", "name"), "configMap.", mapping)) {
            Optional<String> text = values.objectName(key);
            String namespace = configMap.namespace();
            configMap = key.key().equals("name")
                    ? new ConfigMapRef(namespace, text.orElse(configMap.name()))
                    : new ConfigMapRef(text.orElse(namespace), configMap.name());
        }
    }

    static Optional<List<Cidr>> cidrs(Known key, Findings findings) {
        return new CidrListReader(findings)
                .read(key)
                .map(items -> items.stream().map(item -> item.cidr()).toList());
    }

    private static <T> Value<T> or(Optional<T> read, Value<T> otherwise, Origin origin) {
        return read.map(value -> new Value<>(value, origin)).orElse(otherwise);
    }
}
