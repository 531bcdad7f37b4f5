package net.ipmasq.bundle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.cluster.preflight.Preflight;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding;
import net.ipmasq.bundle.cluster.preflight.Requirements;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.cli.Output;
import net.ipmasq.json.JsonText;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.text.FileProblem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bundle preflight}: checks a cluster before an install. */
@Command(
        name = "preflight",
        mixinStandardHelpOptions = true,
        description =
                "Checks a cluster before the add-on is installed or upgraded and reports every problem: versions, kernels,"
                        + " other agents, network plugins that masquerade, missing rights, and what becomes of an existing"
                        + " configuration. Changes nothing. Exit code 3 if there is an error.",
        footer = {"", "Example: ip-masq-fleet bundle preflight --context prod -o json"})
final class PreflightCommand implements Callable<Integer> {
    @Mixin
    ClusterAccess cluster = new ClusterAccess();

    @Option(
            names = "--bundle",
            paramLabel = "DIR",
            description = "A bundle whose addon.yaml has the requirements (default: this program's own version).")
    @Nullable
    Path bundle;

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description = "Provider profile that will be installed (default " + Settings.DEFAULT_PROFILE + ").")
    String profile = Settings.DEFAULT_PROFILE;

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
        Requirements requirements = requirements();
        ProviderProfile provider = Profiles.named(profile);
        return cluster.with(client -> show(Preflight.run(client, requirements, cluster.namespace, provider)));
    }

    private Requirements requirements() {
        Path directory = bundle;
        if (directory == null) {
            return Requirements.own();
        }
        Path file = directory.resolve("addon.yaml");
        try {
            return Requirements.of(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + FileProblem.why(e));
        }
    }

    private int show(List<PreflightFinding> findings) {
        boolean ok = findings.stream().noneMatch(PreflightFinding::isError);
        Map<String, Object> document = JsonText.object(
                "ok",
                ok,
                "findings",
                findings.stream().map(PreflightFinding::document).toList());
        Output.print(spec.commandLine().getOut(), format, document, () -> text(findings));
        return ok ? ExitCode.OK : ExitCode.INVALID_CONFIG;
    }

    private static String text(List<PreflightFinding> findings) {
        StringBuilder text = new StringBuilder();
        findings.forEach(finding -> text.append(finding.text()));
        return text.append(count(findings, PreflightFinding.Severity.ERROR))
                .append(", ")
                .append(count(findings, PreflightFinding.Severity.WARNING))
                .append('\n')
                .toString();
    }

    private static String count(List<PreflightFinding> findings, PreflightFinding.Severity severity) {
        long number = findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
        return number + " " + severity.key() + (number == 1 ? "" : "s");
    }
}
