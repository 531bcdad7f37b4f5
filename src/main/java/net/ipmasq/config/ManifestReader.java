package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.net.Quoted;

/** Judges a file that is a configuration or a whole Kubernetes manifest around one, as {@code check} is given. */
public final class ManifestReader {
    private final SourceText.Clean file;
    private final Optional<ConfigMapName> read;

    /**
     * What was judged of a file.
     *
     * @param subject which of several objects that was, for people; empty where there was nothing to choose from
     */
    public record Checked(ConfigOutcome outcome, Optional<String> subject) {
        private Checked(ConfigOutcome outcome) {
            this(outcome, Optional.empty());
        }
    }

    private ManifestReader(SourceText.Clean file, Optional<ConfigMapName> read) {
        this.file = file;
        this.read = read;
    }

    /**
     * Reads the configuration text itself, or the {@code data.config} of the one ConfigMap in a manifest (YAML, JSON,
     * several documents, a {@code List}), whatever its name. Every position refers to the file given.
     */
    public static ConfigOutcome check(byte[] file) {
        return check(SourceText.of(file), Optional.empty()).outcome();
    }

    public static ConfigOutcome check(String file) {
        return check(SourceText.of(file), Optional.empty()).outcome();
    }

    /** As {@link #check(byte[])}, and the ConfigMap is the one that an agent reads, if the file has it. */
    public static Checked check(byte[] file, String namespace, String name) {
        return check(SourceText.of(file), Optional.of(new ConfigMapName(namespace, name)));
    }

    private static Checked check(SourceText file, Optional<ConfigMapName> read) {
        return switch (file) {
            case SourceText.Refused refused -> new Checked(invalid(refused.problem()));
            case SourceText.Clean clean -> {
                Checked checked = switch (SyntaxTree.parse(clean.text())) {
                    case SyntaxTree.Broken broken -> new Checked(invalid(broken.problem()));
                    case SyntaxTree.Documents tree -> new ManifestReader(clean, read).check(tree);
                };
                yield new Checked(Templates.hinted(checked.outcome, clean.text()), checked.subject);
            }
        };
    }

    private Checked check(SyntaxTree.Documents tree) {
        Manifest manifest = Manifest.of(tree);
        if (manifest.objects().isEmpty()) {
            return new Checked(ConfigReader.read(tree));
        }
        Problems beside = ManifestFindings.strays(manifest.strays());
        List<SyntaxNode.Mapping> configMaps = manifest.configMaps();
        if (configMaps.isEmpty()) {
            return new Checked(with(invalid(noConfigMap(manifest)), beside));
        }
        List<SyntaxNode.Mapping> chosen = choose(configMaps);
        ConfigOutcome outcome = with(chosen.size() == 1 ? one(chosen.getFirst()) : several(chosen), beside);
        boolean choice = manifest.objects().size() + manifest.strays().size() > 1 && chosen.size() == 1;
        return new Checked(outcome, choice ? Optional.of(ManifestFindings.label(chosen.getFirst())) : Optional.empty());
    }

    /** Those of the name that the agent reads; without one, those that hold a configuration; without one, the first. */
    private List<SyntaxNode.Mapping> choose(List<SyntaxNode.Mapping> configMaps) {
        List<SyntaxNode.Mapping> named = configMaps.stream()
                .filter(map -> read.filter(name -> name.isOf(map)).isPresent())
                .toList();
        if (!named.isEmpty()) {
            return named;
        }
        List<SyntaxNode.Mapping> filled =
                configMaps.stream().filter(ManifestReader::hasConfig).toList();
        return filled.isEmpty() ? List.of(configMaps.getFirst()) : filled;
    }

    private static boolean hasConfig(SyntaxNode.Mapping map) {
        return Manifest.data(map, "config").or(() -> Manifest.misplaced(map)).isPresent();
    }

    private ConfigOutcome one(SyntaxNode.Mapping configMap) {
        Problems around = ManifestFindings.of(configMap, read);
        boolean elsewhere = around.count(Problem.Severity.ERROR) > 0;
        return with(config(configMap, elsewhere), around);
    }

    /**
     * @param elsewhere whether the data is found to be where it does not belong
     */
    private ConfigOutcome config(SyntaxNode.Mapping configMap, boolean elsewhere) {
        Optional<SyntaxNode.Entry> repeated = Manifest.repeated(configMap);
        Optional<SyntaxNode.Entry> config = Manifest.data(configMap, "config");
        if (repeated.isPresent()) {
            return repeated(repeated.get());
        }
        if (config.isPresent()) {
            return inner(config.get());
        }
        return Manifest.misplaced(configMap).map(this::inner).orElseGet(() -> withoutConfig(configMap, elsewhere));
    }

    private static ConfigOutcome repeated(SyntaxNode.Entry second) {
        return invalid(ProblemCode.DUPLICATE_KEY.at(
                second.key().at(),
                "data",
                "the manifest has this key a second time here, and kubectl may keep either",
                "remove one of the two"));
    }

    private ConfigOutcome inner(SyntaxNode.Entry config) {
        if (config.value() instanceof SyntaxNode.Scalar scalar
                && (scalar.kind() == SyntaxNode.Kind.STRING || scalar.isNull())) {
            String text = scalar.isNull() ? "" : scalar.text();
            ConfigOutcome outcome = ConfigReader.read(text, EmbeddedText.placement(file, scalar));
            return JoinedLines.in(file, config, scalar)
                    ? with(outcome, Problems.of(List.of(JoinedLines.problem(scalar))))
                    : outcome;
        }
        return invalid(ProblemCode.CONFIG_NOT_TEXT.at(
                config.key().at(),
                "data.config",
                "this is " + config.value().label() + "; the API server takes only texts here",
                "write 'config: |' and indent the configuration below it"));
    }

    private static ConfigOutcome withoutConfig(SyntaxNode.Mapping configMap, boolean elsewhere) {
        List<String> keys = Manifest.keys(configMap);
        if (!keys.isEmpty()) {
            return invalid(ConfigReader.keyMissing(
                    keys,
                    Manifest.metadata(configMap, "namespace", "NAMESPACE"),
                    Manifest.metadata(configMap, "name", "NAME"),
                    configMap.at()));
        }
        Problem empty = ManifestFindings.empty(configMap);
        return empty.isError()
                ? invalid(empty)
                : new ConfigOutcome.Loaded(AgentConfig.EMPTY, elsewhere ? List.of() : List.of(empty));
    }

    private static Problem noConfigMap(Manifest manifest) {
        return ProblemCode.MANIFEST_NO_CONFIG_MAP.at(
                manifest.objects().getFirst().at(),
                "",
                "the file is a Kubernetes manifest without a ConfigMap; it has "
                        + manifest.kinds().stream().limit(10).map(Quoted::of).collect(Collectors.joining(", ")),
                "give the ConfigMap's manifest, or the configuration text itself");
    }

    /** Which of them applies is not known, so each is checked. */
    private ConfigOutcome several(List<SyntaxNode.Mapping> chosen) {
        boolean filled = chosen.stream().allMatch(ManifestReader::hasConfig);
        Problem problem = ProblemCode.MANIFEST_SEVERAL_CONFIGS.at(
                chosen.get(1).at(),
                "",
                chosen.size() + " ConfigMaps "
                        + (filled ? "have the key 'config'" : "have the name that the agent reads") + ", on lines "
                        + chosen.stream()
                                .limit(10)
                                .map(map -> String.valueOf(map.at().line()))
                                .collect(Collectors.joining(", ")),
                "give a file with one of them");
        Findings all = new Findings();
        all.add(problem);
        chosen.forEach(map -> all.addAll(one(map).findings()));
        return new ConfigOutcome.Invalid(all.problems());
    }

    /** An outcome with more findings; an error among them makes it invalid. */
    private static ConfigOutcome with(ConfigOutcome outcome, Problems more) {
        Problems all = more.and(outcome.findings());
        return outcome instanceof ConfigOutcome.Loaded loaded && more.count(Problem.Severity.ERROR) == 0
                ? new ConfigOutcome.Loaded(loaded.config(), all)
                : new ConfigOutcome.Invalid(all);
    }

    private static ConfigOutcome invalid(Problem problem) {
        return new ConfigOutcome.Invalid(List.of(problem));
    }
}
