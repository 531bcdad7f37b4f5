package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;

/**
 * A real API server (with etcd) on the loopback of a namespace, roles enforced, nothing else of a cluster: no
 * controllers, no nodes. Ended with its data by {@link #close} or when the JVM ends; what a killed JVM left is ended by
 * the next that starts one.
 */
public final class KubeApi implements AutoCloseable {
    private static final String PREFIX = "ipmasq-kube-";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration START_LIMIT = Duration.ofSeconds(150);
    private static final int PORT = 16443;
    private static final Set<KubeApi> OPEN = ConcurrentHashMap.newKeySet();

    static {
        sweep();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> List.copyOf(OPEN).forEach(KubeApi::close), "kube-cleanup"));
    }

    private final NetNs ns;
    private final Path state;
    private final Path files;
    private final String kubectl;

    private KubeApi(NetNs ns, Path state) {
        this.ns = ns;
        this.state = state;
        this.files = state.resolve("files");
        this.kubectl = demand(List.of(script(), "kubectl"), ns.tryRun(List.of(script(), "kubectl"), ""))
                .strip();
    }

    /** An HTTP answer to {@link #call}. */
    public record Answer(int code, String body) {}

    static String script() {
        return Path.of("scripts", "kube-apiserver.sh").toAbsolutePath().toString();
    }

    /** Starts one; a namespace has room for one. Ready when this returns. */
    public static KubeApi start(NetNs ns) {
        Layer.require(Layer.API);
        try {
            Path state = Files.createTempDirectory(
                    PREFIX + ProcessHandle.current().pid() + "-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            KubeApi api = new KubeApi(ns, state);
            OPEN.add(api);
            try {
                api.command("start");
                Files.createDirectory(api.files);
                return api;
            } catch (RuntimeException e) {
                api.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens, for programs in its namespace. */
    public String url() {
        return "https://127.0.0.1:" + PORT;
    }

    /** What its certificate is signed with; clients must trust it. */
    public Path caCertificate() {
        return state.resolve("ca.crt");
    }

    public Path adminKubeconfig() {
        return state.resolve("admin.kubeconfig");
    }

    /** A kubeconfig with a {@link #token} of a service account; makes the account if there is none yet. */
    public Path serviceAccountKubeconfig(String namespace, String name) {
        if (call(adminKubeconfig(), "GET", accounts(namespace) + "/" + name, "").code() == 404) {
            kubectl("create", "serviceaccount", name, "--namespace=" + namespace);
        }
        return kubeconfig(name, namespace, token(namespace, name, Duration.ofHours(1)));
    }

    /** A new token of a service account that is there, as a pod has one mounted. The server wants ten minutes or more. */
    public String token(String namespace, String name, Duration life) {
        String body =
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":"
                        + life.toSeconds() + "}}";
        Answer answer = call(adminKubeconfig(), "POST", accounts(namespace) + "/" + name + "/token", body);
        if (answer.code() != 201) {
            throw new IllegalStateException("no token for " + name + ": " + answer);
        }
        return KubeRequest.json(answer.body()).at("/status/token").asText();
    }

    private static String accounts(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    }

    /** A kubeconfig file with a given token, new at every call. */
    public Path kubeconfig(String user, String namespace, String token) {
        // the server's own, with another user
        return write(
                "kubeconfig",
                read(adminKubeconfig())
                        .replaceFirst("(?m)^- name: admin$", "- name: " + user)
                        .replaceFirst("user: admin, namespace: [^}]*", "user: " + user + ", namespace: " + namespace)
                        .replaceFirst("(?m)^( +token:).*$", "$1 " + token));
    }

    /** Runs kubectl as administrator, which must exit with 0, and returns what it printed. */
    public String kubectl(String... args) {
        return kubectlWithStdin("", args);
    }

    public String kubectlWithStdin(String stdin, String... args) {
        return demand(Arrays.asList(args), tryKubectl(adminKubeconfig(), Map.of(), stdin, args));
    }

    /** Runs kubectl as whoever the kubeconfig says and returns how it went. */
    public CommandRunner.Outcome tryKubectl(
            Path kubeconfig, Map<String, String> environment, String stdin, String... args) {
        List<String> argv = new ArrayList<>(List.of(kubectl));
        argv.addAll(List.of(args));
        Map<String, String> all = new HashMap<>(ns.environment());
        all.put("KUBECONFIG", kubeconfig.toString());
        // what kubectl caches is of this server only
        all.put("HOME", files.toString());
        all.putAll(environment);
        return Programs.run(ns.enter(argv), stdin, all, LIMIT);
    }

    /** {@code kubectl edit ARGS} with sed as the editor; returns what kubectl printed. */
    public String edit(String sed, String... args) {
        // no quotes, or kubectl would ask a shell
        Map<String, String> editor = Map.of("KUBE_EDITOR", "sed -i -f " + write("sed", sed));
        String[] all = Stream.concat(Stream.of("edit"), Stream.of(args)).toArray(String[]::new);
        return demand(List.of(all), tryKubectl(adminKubeconfig(), editor, "", all));
    }

    public String applyYaml(String yaml) {
        return kubectlWithStdin(yaml, "apply", "-f", "-");
    }

    /** One plain HTTP request as whoever the kubeconfig says; an empty body is none. */
    public Answer call(Path kubeconfig, String method, String path, String body) {
        List<String> argv = curl(kubeconfig, path);
        argv.addAll(List.of("--request", method, "--write-out", "\n%{http_code}"));
        if (!body.isEmpty()) {
            argv.addAll(List.of("--header", "Content-Type: application/json", "--data-binary", "@-"));
        }
        String printed = demand(argv, ns.tryRun(argv, body));
        int end = printed.lastIndexOf('\n');
        return new Answer(Integer.parseInt(printed.substring(end + 1)), printed.substring(0, end));
    }

    /** The command line of a request; for a watch, what it prints is an event a line. */
    List<String> curl(Path kubeconfig, String path) {
        String token = read(kubeconfig)
                .lines()
                .filter(line -> line.strip().startsWith("token:"))
                .findFirst()
                .orElseThrow()
                .strip()
                .substring("token: ".length());
        Path header = write("header", "Authorization: Bearer " + token);
        return new ArrayList<>(List.of(
                "curl",
                "--silent",
                "--show-error",
                "--no-buffer",
                "--noproxy",
                "*",
                "--max-time",
                "15",
                "--cacert",
                caCertificate().toString(),
                "--header",
                "@" + header,
                url() + path));
    }

    /** Ends the API server, at most two seconds politely; etcd keeps the data. */
    public void stopApiServer() {
        command("stop-apiserver");
    }

    /** Starts it again on the same data; ready when this returns. */
    public void startApiServer() {
        command("start-apiserver");
    }

    /** Makes etcd forget what was before now. The API server still remembers some of it until it is started again. */
    public void compact() {
        command("compact");
    }

    /** Answered requests since the first start, oldest first; one may be here a moment after its caller has the answer. */
    public List<KubeRequest> requests() {
        return KubeRequest.log(read(state.resolve("audit.log")));
    }

    /**
     * The sum of a metric's samples that have all these labels, each as {@code name="value"}; since the last start. A
     * watch counts in {@code apiserver_request_total} when it ends; {@code apiserver_registered_watchers} has the open
     * ones and the server's own. User agents are in no metric, only in {@link #requests}.
     */
    public double metric(String name, String... labels) {
        return call(adminKubeconfig(), "GET", "/metrics", "")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Resident memory of {@code apiserver} or {@code etcd} in MiB; empty when it does not run. */
    public Optional<Long> residentMiB(String program) {
        Path pid = state.resolve(program + ".pid");
        if (!Files.exists(pid)) {
            return Optional.empty();
        }
        return read(Path.of("/proc", read(pid).split(" ")[0], "status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst();
    }

    @Override
    public void close() {
        if (OPEN.remove(this)) {
            wipe(state);
        }
    }

    private void command(String name) {
        List<String> argv = List.of(script(), name, state.toString());
        demand(argv, Programs.run(ns.enter(argv), "", ns.environment(), START_LIMIT));
    }

    private static void wipe(Path state) {
        List<String> argv = List.of(script(), "stop", state.toString(), "--wipe");
        demand(argv, Programs.run(argv, "", Map.of("PATH", Programs.path()), LIMIT));
    }

    private static String demand(List<String> argv, CommandRunner.Outcome outcome) {
        if (outcome instanceof Exited exited && exited.code() == 0) {
            return exited.stdout();
        }
        throw new IllegalStateException(argv + ": " + outcome);
    }

    private Path write(String kind, String text) {
        try {
            return Files.writeString(Files.createTempFile(files, kind + "-", ""), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            // not by its size: files in /proc have none
            return new String(Files.newInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends what a killed JVM left: directories that hold the pid of a process that is no more. */
    private static void sweep() {
        Path directory = Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<Path> entries = Files.list(directory)) {
            entries.filter(path -> path.getFileName().toString().matches(PREFIX + "\\d+-\\d+"))
                    .filter(path -> ProcessHandle.of(
                                    Long.parseLong(path.getFileName().toString().split("-")[2]))
                            .isEmpty())
                    .forEach(KubeApi::wipe);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
