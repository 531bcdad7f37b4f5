package net.ipmasq.bundle.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.bundle.archive.BundleFiles;
import net.ipmasq.bundle.archive.BundleManifests;
import net.ipmasq.bundle.archive.Rendering;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bundle render}. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description =
                "Prints the manifests to install, made by Helm's own engine; asks no cluster. Leaves out hooks that"
                        + " Helm runs at an uninstall only.",
        footer = {"", "Example: ip-masq-fleet bundle render --provider gke --values my-values.yaml"})
final class BundleRenderCommand implements Callable<Integer> {
    @Option(
            names = "--bundle",
            paramLabel = "DIR|FILE",
            description = "The bundle, a directory or a .tgz (default: addon-bundle).")
    Path bundle = Path.of("addon-bundle");

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "Profile of the bundle; takes precedence over profile.name in the values.")
    Optional<String> provider = Optional.empty();

    @Option(
            names = "--values",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Values that override the chart's; the later of several files takes precedence.")
    List<Path> values = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        return switch (BundleManifests.render(BundleFiles.read(bundle), provider, values)) {
            case Rendering.Manifests manifests -> {
                spec.commandLine().getOut().print(manifests.forInstalling());
                spec.commandLine().getOut().flush();
                List<String> leftOut = manifests.ofAnotherTime();
                if (!leftOut.isEmpty()) {
                    Cli.complain(
                            spec,
                            "left out, since applying them would run the uninstall: " + String.join(", ", leftOut)
                                    + "; without Helm run ip-masq-fleet bundle cleanup-nodes before you delete the other objects");
                }
                yield ExitCode.OK;
            }
            case Rendering.Refused refused -> {
                Cli.complain(spec, refused.message());
                yield ExitCode.INVALID_CONFIG;
            }
        };
    }
}
