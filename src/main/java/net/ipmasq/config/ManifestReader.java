package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import net.ipmasq.net.Quoted;

/** Judges a file that is a configuration or a whole Kubernetes manifest around one, as {@code check} is given. */
public final class ManifestReader {
    private ManifestReader() {}

    /**
     * Reads the configuration text itself, or the {@code data.config} of the one ConfigMap in a manifest (YAML, JSON,
     * several documents, a {@code List}). Every position refers to the file given.
     */
    public static ConfigOutcome check(byte[] file) {
        return check(SourceText.of(file));
    }

    /** As {@link #check(byte[])}. */
    public static ConfigOutcome check(String file) {
        return check(SourceText.of(file));
    }

    private static ConfigOutcome check(SourceText file) {
        return switch (file) {
            case SourceText.Refused refused -> new ConfigOutcome.Invalid(List.of(refused.problem()));
            case SourceText.Clean clean ->
                switch (SyntaxTree.parse(clean.text())) {
                    case SyntaxTree.Broken broken -> new ConfigOutcome.Invalid(List.of(broken.problem()));
                    case SyntaxTree.Documents tree -> check(clean, Manifest.of(tree));
                };
        };
    }

    private static ConfigOutcome check(SourceText.Clean file, Manifest manifest) {
        if (manifest.objects().isEmpty()) {
            return ConfigReader.read(file.text());
        }
        List<Node.Mapping> configMaps = manifest.configMaps();
        if (configMaps.isEmpty()) {
            return invalid(noConfigMap(manifest));
        }
        List<Node.Mapping> candidates = configMaps.stream()
                .filter(map -> Manifest.data(map, "config").isPresent())
                .toList();
        return switch (candidates.size()) {
            case 0 -> withoutConfig(configMaps.getFirst());
            case 1 -> one(file, candidates.getFirst());
            default -> invalid(several(candidates));
        };
    }

    private static ConfigOutcome one(SourceText.Clean file, Node.Mapping configMap) {
        return Manifest.repeated(configMap)
                .map(ManifestReader::repeated)
                .orElseGet(() -> inner(file, Manifest.data(configMap, "config").orElseThrow()));
    }

    private static ConfigOutcome repeated(Node.Entry second) {
        return invalid(ProblemCode.DUPLICATE_KEY.at(
                second.key().at(),
                "data",
                "the manifest has this key a second time here, and kubectl may keep either",
                "remove one of the two"));
    }

    private static ConfigOutcome inner(SourceText.Clean file, Node.Entry config) {
        if (config.value() instanceof Node.Scalar scalar && (scalar.kind() == Node.Kind.STRING || scalar.isNull())) {
            String text = scalar.isNull() ? "" : scalar.text();
            return ConfigReader.read(text, EmbeddedText.placement(file, scalar));
        }
        return invalid(ProblemCode.CONFIG_NOT_TEXT.at(
                config.key().at(),
                "data.config",
                "this is " + config.value().label() + "; the API server takes only texts here",
                "write 'config: |' and indent the configuration below it"));
    }

    private static ConfigOutcome withoutConfig(Node.Mapping configMap) {
        List<String> keys = Manifest.keys(configMap);
        if (keys.isEmpty()) {
            return new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of());
        }
        return invalid(ConfigReader.keyMissing(
                keys,
                Manifest.metadata(configMap, "namespace", "NAMESPACE"),
                Manifest.metadata(configMap, "name", "NAME"),
                configMap.at()));
    }

    private static Problem noConfigMap(Manifest manifest) {
        return ProblemCode.MANIFEST_NO_CONFIG_MAP.at(
                manifest.objects().getFirst().at(),
                "",
                "the file is a Kubernetes manifest without a ConfigMap; it has "
                        + String.join(
                                ", ",
                                manifest.kinds().stream()
                                        .limit(10)
                                        .map(Quoted::of)
                                        .toList()),
                "give the ConfigMap's manifest, or the configuration text itself");
    }

    private static Problem several(List<Node.Mapping> candidates) {
        Optional<Node.Mapping> second = candidates.stream().skip(1).findFirst();
        return ProblemCode.MANIFEST_SEVERAL_CONFIGS.at(
                second.orElseThrow().at(),
                "",
                candidates.size() + " ConfigMaps have the key 'config', on lines "
                        + String.join(
                                ", ",
                                candidates.stream()
                                        .limit(10)
                                        .map(map -> String.valueOf(map.at().line()))
                                        .toList()),
                "give a file with one of them");
    }

    private static ConfigOutcome invalid(Problem problem) {
        return new ConfigOutcome.Invalid(List.of(problem));
    }
}
