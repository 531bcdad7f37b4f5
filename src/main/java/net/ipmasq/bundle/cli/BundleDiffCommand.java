package net.ipmasq.bundle.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import net.ipmasq.bundle.archive.BundleDiff;
import net.ipmasq.bundle.archive.BundleFiles;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.cli.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bundle diff}. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = "Shows what an upgrade changes for users who edit nothing, and whether it is safe.",
        footer = {"", "Example: ip-masq-fleet bundle diff old.tgz new.tgz -o json"})
final class BundleDiffCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "OLD", description = "The bundle before, a .tgz or a directory.")
    @SuppressWarnings("NullAway.Init")
    Path before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The bundle afterwards, a .tgz or a directory.")
    @SuppressWarnings("NullAway.Init")
    Path after;

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
        BundleDiff diff = BundleDiff.between(BundleFiles.read(before), BundleFiles.read(after));
        Output.print(spec.commandLine().getOut(), format, diff.document(), diff::text);
        return diff.safe() ? ExitCode.OK : ExitCode.DIFFERENCE;
    }
}
