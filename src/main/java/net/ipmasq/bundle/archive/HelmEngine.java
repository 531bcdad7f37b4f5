package net.ipmasq.bundle.archive;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.ipmasq.agent.UsageException;
import net.ipmasq.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Helm's own engine, in a process that knows nothing of this machine's clusters: in this one, {@code lookup} would be answered by the cluster of KUBECONFIG, and Helm's environment
 * variables would apply.
 */
public final class HelmEngine implements AutoCloseable {
    static final String NAMESPACE = "kube-system";
    private static final String MISSING =
            "this command needs Helm's engine: run ip-masq-fleet from its build (./dev fleet ...), "
                    + "or with the jars of com.marcnuri.helm-java for this platform in quarkus-app/lib/main";

    private final Path directory;
    private final EmptyCluster cluster;
    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;
    private int charts;

    private HelmEngine(Path directory, EmptyCluster cluster, Process process) {
        this.directory = directory;
        this.cluster = cluster;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts one.
     *
     * @throws UsageException if its classes are not there
     */
    public static HelmEngine start() {
        String classPath = classPath();
        try {
            Path directory = Files.createTempDirectory("ip-masq-helm");
            EmptyCluster cluster = EmptyCluster.start();
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), cluster.kubeconfig());
            ProcessBuilder builder = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            // it unpacks its library there, and close removes it
                            "-Djava.io.tmpdir=" + directory,
                            "-cp",
                            classPath,
                            HelmChild.class.getName()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            // cleared, so that no variable for Helm, a proxy or the JVM has an effect
            builder.environment().clear();
            builder.environment()
                    .putAll(Map.of("KUBECONFIG", kubeconfig.toString(), "HOME", directory.toString(), "PATH", ""));
            return new HelmEngine(directory, cluster, builder.start());
        } catch (IOException e) {
            throw new UsageException("Helm's engine cannot be started: " + e.getMessage());
        }
    }

    /**
     * Looks for the engine before anything else is done, and before a class is loaded that is missing where the engine is missing.
     *
     * @throws UsageException if its classes are not there
     */
    static void require() {
        classPath();
    }

    /** Where the classes that the child needs are. In the packaged application they are on no class path of the JVM. */
    private static String classPath() {
        @Nullable String home = System.getProperty("java.home");
        Set<String> places = new LinkedHashSet<>();
        try {
            places.add(place(HelmChild.class));
            places.add(place(Class.forName("com.marcnuri.helm.Helm")));
            Class<?> library = Class.forName("com.marcnuri.helm.jni.NativeLibrary");
            places.add(place(library));
            places.add(place(Class.forName("com.sun.jna.Native")));
            // without one for this platform, helm-java would fetch it from the Internet
            List<String> libraries = ServiceLoader.load(library, library.getClassLoader()).stream()
                    .map(provider -> place(provider.type()))
                    .toList();
            places.addAll(libraries);
            if (libraries.isEmpty() || home == null) {
                throw new UsageException(MISSING);
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new UsageException(MISSING);
        }
        return String.join(File.pathSeparator, places);
    }

    private static String place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            if (source != null) {
                return Path.of(source.getLocation().toURI()).toString();
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // said below
        }
        throw new UsageException(MISSING);
    }

    /** Puts the chart of a bundle where the engine can read it. */
    public HelmChart chart(BundleFiles bundle) {
        Path root = directory.resolve("chart" + charts++);
        return new HelmChart(this, HelmChart.unpack(bundle, root));
    }

    synchronized Rendering template(Path chart, Map<String, Object> values) {
        try {
            // JSON is YAML
            Path file = Files.writeString(directory.resolve("values.yaml"), JsonText.compact(values));
            requests.write(Stream.of(chart.toString(), "ip-masq-agent", NAMESPACE, file.toString())
                            .map(HelmChild::encoded)
                            .reduce((one, other) -> one + " " + other)
                            .orElseThrow()
                    + "\n");
            requests.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new UsageException("Helm's engine has ended without an answer; try it with the helm command");
            }
            String text = HelmChild.decoded(answer.substring("ok ".length()));
            return answer.startsWith("ok ")
                    ? Rendering.of(HelmChart.withHooks(text))
                    : new Rendering.Refused(text.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            // the end of its input lets it end by itself
            requests.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            cluster.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
