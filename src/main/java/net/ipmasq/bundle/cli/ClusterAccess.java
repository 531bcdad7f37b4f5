package net.ipmasq.bundle.cli;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.ipmasq.agent.UsageException;
import net.ipmasq.agent.kube.AccessException;
import net.ipmasq.agent.kube.ApiClient;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which cluster, for commands that ask one. */
final class ClusterAccess {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int REQUEST_MILLIS = 30_000;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the cluster (default: KUBECONFIG, ~/.kube/config, or the pod's own account).")
    @Nullable
    Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig (default: the current).")
    @Nullable
    String context;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of the add-on (default kube-system, where the agent reads its ConfigMaps).")
    String namespace = "kube-system";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    /**
     * Does something with a cluster.
     *
     * @return what {@code work} returns; {@link ExitCode#FAILURE} when the cluster does not answer, with the reason on err
     * @throws UsageException if kubeconfig, context or what they name are not there, or cannot be used
     */
    int with(ToIntFunction<KubernetesClient> work) {
        Config config = config();
        spareUnsafe();
        try (KubernetesClient client = client(config)) {
            return work.applyAsInt(client);
        } catch (KubernetesClientException e) {
            Cli.complain(spec, why(config, e));
            return ExitCode.FAILURE;
        }
    }

    /**
     * Netty's use of Unsafe makes Java 25 warn on standard error, and a command does not need its speed. In a native
     * image, which warns of nothing, that is settled at build time; another word for it later leaves netty without either.
     */
    private static void spareUnsafe() {
        if (System.getProperty("org.graalvm.nativeimage.imagecode") == null) {
            System.setProperty("io.netty.noUnsafe", "true");
        }
    }

    private Config config() {
        Config config = load();
        if (context != null
                && (config.getCurrentContext() == null
                        || !context.equals(config.getCurrentContext().getName()))) {
            throw new UsageException("--context " + context + ": the kubeconfig has no context of that name");
        }
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestTimeout(REQUEST_MILLIS);
        // by default it retries for a minute before it reports that nobody answers
        config.setRequestRetryBackoffLimit(1);
        return config;
    }

    private static KubernetesClient client(Config config) {
        try {
            return ApiClient.builder(config).build();
        } catch (AccessException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private Config load() {
        Config config = loaded();
        // the address that it has while neither a file, the environment nor a pod's account has named one
        boolean unnamed = List.of(Config.DEFAULT_MASTER_URL, Config.DEFAULT_MASTER_URL + "/")
                .contains(config.getMasterUrl());
        if (kubeconfig == null && unnamed && files().noneMatch(Files::exists)) {
            throw new UsageException("no kubeconfig was found ("
                    + files().map(Path::toString).collect(Collectors.joining(", "))
                    + " is not there, and this is no pod with an account): name one with --kubeconfig FILE");
        }
        return config;
    }

    private static Stream<Path> files() {
        return Config.getKubeconfigFilenames().stream().map(Path::of);
    }

    private Config loaded() {
        Path file = kubeconfig;
        Optional<String> wanted = Optional.ofNullable(context);
        try {
            return file == null
                    ? ApiClient.configured(wanted, () -> Config.autoConfigure(context))
                    : ApiClient.from(List.of(file), wanted, () -> read(file));
        } catch (AccessException e) {
            throw new UsageException((file == null ? "" : "--kubeconfig " + file + ": ") + e.getMessage());
        }
    }

    private Config read(Path file) {
        return context == null ? Config.fromKubeconfig(file.toFile()) : Config.fromKubeconfig(context, file.toFile());
    }

    private static String why(Config config, KubernetesClientException problem) {
        String server = config.getMasterUrl();
        return switch (problem.getCode()) {
            // 0 or -1: there was no answer
            case 0, -1 -> "the cluster at " + server + " does not answer: " + root(problem);
            case 401 -> "the cluster at " + server + " does not accept these credentials (401)";
            default ->
                "the cluster at " + server + " answered with " + problem.getCode() + ": "
                        + Optional.ofNullable(problem.getStatus())
                                .map(status -> status.getMessage())
                                .orElse(problem.getMessage());
        };
    }

    private static String root(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
