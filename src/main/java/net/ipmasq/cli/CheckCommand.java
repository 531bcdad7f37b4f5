package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ManifestReader;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.text.FileProblem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check}: validates a text. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Validates a configuration or a whole ConfigMap manifest and shows every problem at once.",
        footer = {"", "Example: kubectl get cm cce-ip-masq-agent -n kube-system -o yaml | ip-masq-agent check -"})
final class CheckCommand implements Callable<Integer> {
    @Mixin
    CommonOptions common = new CommonOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "File to check; - for standard input (default: the file of --config).")
    Optional<String> file = Optional.empty();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settings();
        ProviderProfile profile = Profiles.of(settings);
        String name = file.orElse(settings.config().toString());
        ConfigMapRef read = profile.configMap();
        ManifestReader.Checked checked = ManifestReader.check(read(name), read.namespace(), read.name());
        ConfigOutcome outcome = ConfigJudge.judge(checked.outcome(), profile);
        Output.print(
                spec.commandLine().getOut(),
                common.format,
                document(outcome, checked.subject(), profile),
                () -> checked.subject()
                                .map(subject -> name + ": checked is the " + subject + "\n")
                                .orElse("")
                        + text(name, outcome, profile));
        return outcome instanceof ConfigOutcome.Loaded ? ExitCode.OK : ExitCode.INVALID_CONFIG;
    }

    private static byte[] read(String name) {
        // one byte more than is accepted, so that too much is said to be too much
        int most = (1 << 20) + 1;
        try (InputStream stream = name.equals("-") ? System.in : Files.newInputStream(Path.of(name))) {
            return stream.readNBytes(most);
        } catch (IOException e) {
            throw new UsageException(name + " cannot be read: " + FileProblem.why(e));
        }
    }

    /** {@code judged} is there where a file has several objects. */
    private static Map<String, Object> document(
            ConfigOutcome outcome, Optional<String> subject, ProviderProfile profile) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("valid", outcome instanceof ConfigOutcome.Loaded);
        subject.ifPresent(text -> document.put("judged", text));
        document.put("problems", JsonDocuments.problems(outcome.problems()));
        Map<String, Object> omitted = JsonDocuments.omitted(outcome.findings());
        if (omitted != null) {
            document.put("omitted", omitted);
        }
        if (outcome instanceof ConfigOutcome.Loaded loaded) {
            document.put("profile", profile.name());
            document.put("effective", JsonDocuments.effective(EffectiveConfig.of(loaded.config(), profile)));
        }
        return document;
    }

    private static String text(String name, ConfigOutcome outcome, ProviderProfile profile) {
        StringBuilder text = new StringBuilder();
        Problems problems = outcome.findings();
        problems.lines(Problem::oneLine)
                .forEach(line -> text.append(name).append(": ").append(line).append('\n'));
        long errors = problems.count(Problem.Severity.ERROR);
        long notes = problems.count(Problem.Severity.NOTE);
        String warnings = count(problems.count(Problem.Severity.WARNING), "warning")
                + (notes == 0 ? "" : ", " + count(notes, "note"));
        if (outcome instanceof ConfigOutcome.Loaded loaded) {
            text.append(name).append(": valid, ").append(warnings);
            if (loaded.config().isEmpty()) {
                text.append("; no configuration; profile in use");
            }
            text.append("\n\n").append(EffectiveTable.of(EffectiveConfig.of(loaded.config(), profile)));
        } else {
            text.append(name)
                    .append(": NOT valid, ")
                    .append(count(errors, "error"))
                    .append(", ")
                    .append(warnings)
                    .append('\n');
        }
        return text.toString();
    }

    private static String count(long number, String what) {
        return number == 0 ? "no " + what + "s" : number + " " + what + (number == 1 ? "" : "s");
    }
}
