package net.ipmasq.bundle.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.cluster.uninstall.FleetCleanup;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.text.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bundle cleanup-nodes}: removes the agent's rules from every node. */
@Command(
        name = "cleanup-nodes",
        mixinStandardHelpOptions = true,
        description =
                "Ends the agents of a cluster and removes their rules from every node: deletes the DaemonSet, runs"
                        + " cleanup on its nodes by a DaemonSet of its own, waits for all, and deletes that too. The chart runs it"
                        + " before an uninstall where uninstall.preserveRules is false. Can be repeated.",
        footer = {"", "Example: ${ROOT-COMMAND-NAME} bundle cleanup-nodes --timeout 600"})
final class CleanupNodesCommand implements Callable<Integer> {
    @Mixin
    ClusterAccess cluster = new ClusterAccess();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "When to give up on nodes that do not answer (default 240).")
    int timeout = 240;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        if (timeout < 1) {
            throw new UsageException("--timeout " + timeout + ": 1 or more seconds are needed");
        }
        return cluster.with(this::clean);
    }

    private int clean(KubernetesClient client) {
        PrintWriter out = spec.commandLine().getOut();
        FleetCleanup cleanup = new FleetCleanup(
                client, cluster.namespace, Clock.systemUTC(), () -> TimeUnit.SECONDS.sleep(1), line -> say(out, line));
        try {
            return switch (cleanup.run(Duration.ofSeconds(timeout))) {
                case FleetCleanup.Result.Clean(int nodes) -> {
                    say(out, "no rule of the agent is left on " + Counted.of(nodes, "node"));
                    yield ExitCode.OK;
                }
                case FleetCleanup.Result.Left(var nodes) -> {
                    Cli.complain(
                            spec,
                            "not cleaned: "
                                    + (nodes.isEmpty() ? "no pod has come up yet" : String.join(", ", nodes))
                                    + "; the DaemonSet cce-ip-masq-agent-cleanup stays and cleans nodes that come back."
                                    + " Run this again, or delete it and leave their rules");
                    yield ExitCode.FAILURE;
                }
                case FleetCleanup.Result.Impossible(String why) -> {
                    Cli.complain(
                            spec,
                            "nothing was done: " + why
                                    + ". Run ip-masq-agent cleanup on the nodes; helm uninstall --no-hooks leaves the rules");
                    yield ExitCode.FAILURE;
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILURE;
        }
    }

    private static void say(PrintWriter to, String line) {
        to.println(line);
        to.flush();
    }
}
