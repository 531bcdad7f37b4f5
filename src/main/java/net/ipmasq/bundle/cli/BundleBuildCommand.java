package net.ipmasq.bundle.cli;

import static net.ipmasq.json.JsonText.object;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.AgentVersion;
import net.ipmasq.bundle.archive.BundleBuild;
import net.ipmasq.bundle.archive.BundleFiles;
import net.ipmasq.bundle.archive.BundleFinding;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.cli.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bundle build}. */
@Command(
        name = "build",
        mixinStandardHelpOptions = true,
        description = "Makes the archive, its OCI layout, checksums, SBOM and provenance; the same input gives the same"
                + " bytes.",
        footer = {"", "Example: ip-masq-fleet bundle build --image image.tar --commit $(git rev-parse HEAD) --out out"})
final class BundleBuildCommand implements Callable<Integer> {
    @Option(names = "--bundle", paramLabel = "DIR", description = "The bundle's directory (default: addon-bundle).")
    Path bundle = Path.of("addon-bundle");

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Where everything is written to.")
    @SuppressWarnings("NullAway.Init")
    Path out;

    @Option(
            names = "--image",
            paramLabel = "TAR|DIR",
            description = "OCI image layout of the container image; its digest is filled in.")
    Optional<Path> image = Optional.empty();

    @Option(
            names = "--packages",
            paramLabel = "FILE",
            description = "Packages in the image, a line with name, version and architecture each, for the SBOM.")
    Optional<Path> packages = Optional.empty();

    @Option(names = "--commit", paramLabel = "HASH", description = "Git commit of the source, for the provenance.")
    Optional<String> commit = Optional.empty();

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
        BundleBuild built = BundleBuild.of(
                BundleFiles.read(bundle), BundleBuild.Inputs.of(image, packages, commit, AgentVersion.TEXT));
        built.writeTo(out);
        for (BundleFinding warning : built.warnings()) {
            spec.commandLine().getErr().println(warning.oneLine());
        }
        spec.commandLine().getErr().flush();
        String archive = out.resolve(built.archive()).toString();
        Output.print(
                spec.commandLine().getOut(),
                format,
                object(
                        "version", built.version(),
                        "archive", archive,
                        "artifact", built.artifact(),
                        "warnings",
                                built.warnings().stream()
                                        .map(BundleFinding::document)
                                        .toList()),
                () -> archive + "\n" + out.resolve("oci") + " " + built.artifact() + "\n");
        return ExitCode.OK;
    }
}
