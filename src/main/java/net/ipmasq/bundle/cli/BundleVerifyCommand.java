package net.ipmasq.bundle.cli;

import static net.ipmasq.json.JsonText.object;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.bundle.archive.BundleFiles;
import net.ipmasq.bundle.archive.BundleFinding;
import net.ipmasq.bundle.archive.Verification;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.cli.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bundle verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Checks an archive before it is installed: checksums, examples, images, versions and rights.",
        footer = {"", "Example: ip-masq-fleet bundle verify new.tgz --previous old.tgz -o json"})
final class BundleVerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The .tgz.")
    @SuppressWarnings("NullAway.Init")
    Path archive;

    @Option(names = "--previous", paramLabel = "FILE", description = "The bundle that it is to follow.")
    Optional<Path> previous = Optional.empty();

    @Option(
            names = "--allow-missing-digest",
            description = "Accepts a bundle that was built without an image, with a warning.")
    boolean allowMissingDigest;

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
        List<BundleFinding> findings = Verification.of(archive, previous.map(BundleFiles::read), allowMissingDigest);
        boolean valid = BundleFinding.allFine(findings);
        Output.print(
                spec.commandLine().getOut(),
                format,
                object(
                        "valid",
                        valid,
                        "findings",
                        findings.stream().map(BundleFinding::document).toList()),
                () -> text(findings, valid));
        return valid ? ExitCode.OK : ExitCode.INVALID_CONFIG;
    }

    private String text(List<BundleFinding> findings, boolean valid) {
        StringBuilder text = new StringBuilder();
        findings.forEach(finding -> text.append(finding.oneLine()).append('\n'));
        return text.append(archive)
                .append(valid ? ": valid" : ": NOT valid")
                .append('\n')
                .toString();
    }
}
