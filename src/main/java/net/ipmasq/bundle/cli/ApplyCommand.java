package net.ipmasq.bundle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.cluster.apply.Applier;
import net.ipmasq.bundle.cluster.apply.ApplyResult;
import net.ipmasq.bundle.cluster.apply.Conflicts;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.cli.Output;
import net.ipmasq.json.JsonText;
import net.ipmasq.text.FileProblem;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bundle apply}: puts rendered manifests into a cluster, without Helm. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description =
                "Applies rendered manifests by server-side apply, as the provider's field manager. The user's objects (EnsureExists)"
                        + " are created where they are absent and never touched again; Helm hooks of an uninstall are"
                        + " skipped. Exit code 3 if there are conflicts and nothing was changed.",
        footer = {
            "",
            "Example: helm template ip-masq-agent addon-bundle/chart -n kube-system |"
                    + " ip-masq-fleet bundle apply --resolve-conflicts preserve -"
        })
final class ApplyCommand implements Callable<Integer> {
    @Mixin
    ClusterAccess cluster = new ClusterAccess();

    @Parameters(paramLabel = "FILE", description = "Manifests, YAML; - for standard input.")
    @SuppressWarnings("NullAway.Init")
    String file;

    @Option(
            names = "--resolve-conflicts",
            paramLabel = "HOW",
            description =
                    "What to do with a field that somebody else wrote: none (default; report it, change nothing), overwrite,"
                            + " or preserve (keep the other's value).")
    Conflicts resolve = Conflicts.NONE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text (default), json or yaml.")
    Output.Format format = Output.Format.text;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        List<Map<String, Object>> manifests = manifests();
        return cluster.with(client -> show(Applier.apply(client, manifests, resolve)));
    }

    private List<Map<String, Object>> manifests() {
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            List<Map<String, Object>> manifests = new ArrayList<>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
                if (document != null) {
                    manifests.add(manifest(document));
                }
            }
            return manifests;
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + FileProblem.why(e));
        } catch (YAMLException e) {
            throw new UsageException(file + " is not YAML: " + e.getMessage());
        }
    }

    private Map<String, Object> manifest(Object document) {
        Map<String, Object> manifest = new LinkedHashMap<>();
        if (document instanceof Map<?, ?> fields) {
            fields.forEach((key, value) -> manifest.put(String.valueOf(key), value));
        }
        if (!(manifest.get("metadata") instanceof Map<?, ?> metadata)
                || !(metadata.get("name") instanceof String)
                || !(manifest.get("kind") instanceof String)
                || !(manifest.get("apiVersion") instanceof String)) {
            throw new UsageException(file + " has a document without apiVersion, kind and metadata.name");
        }
        return manifest;
    }

    private int show(List<ApplyResult> outcomes) {
        boolean stopped = outcomes.stream()
                .anyMatch(outcome -> outcome instanceof ApplyResult.ConfigurationConflict conflict
                        && conflict.settledBy() == Conflicts.NONE);
        Output.print(
                spec.commandLine().getOut(),
                format,
                JsonText.object(
                        "applied",
                        !stopped,
                        "objects",
                        outcomes.stream().map(ApplyResult::document).toList()),
                () -> text(outcomes, stopped));
        return stopped ? ExitCode.INVALID_CONFIG : ExitCode.OK;
    }

    private static String text(List<ApplyResult> outcomes, boolean stopped) {
        StringBuilder text = new StringBuilder();
        outcomes.forEach(outcome -> text.append(outcome.text()).append('\n'));
        return stopped
                ? text.append("nothing was changed; --resolve-conflicts overwrite or preserve settles this\n")
                        .toString()
                : text.toString();
    }
}
