package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.text.FileProblem;
import org.jspecify.annotations.Nullable;

/**
 * Checks kubeconfig files before the client reads them. The client ignores missing files, falls back to a default server,
 * and takes no token from a file.
 */
final class Kubeconfig {
    private final List<Path> files;
    private final Map<Path, Config> parsed = new LinkedHashMap<>();

    private Kubeconfig(List<Path> files) {
        this.files = files;
    }

    /**
     * Checks files that are merged as kubectl merges them.
     *
     * @param context empty for the current one
     * @return the file to take a token from, if one is named
     * @throws AccessException naming what is missing or wrong
     */
    static Optional<Path> check(List<Path> files, Optional<String> context) {
        Kubeconfig all = new Kubeconfig(files);
        files.stream().filter(Files::exists).forEach(all::parse);
        if (all.parsed.isEmpty()) {
            throw new AccessException("the kubeconfig " + all.names() + " does not exist");
        }
        return all.checkContext(context);
    }

    private void parse(Path file) {
        try {
            Config config = KubeConfigUtils.parseConfigFromString(Files.readString(file));
            if (config != null) {
                parsed.put(file, config);
            } else {
                throw new AccessException("the kubeconfig " + file + " is empty");
            }
        } catch (IOException e) {
            throw new AccessException("the kubeconfig " + file + " cannot be read: " + FileProblem.why(e), e);
        } catch (AccessException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new AccessException("the kubeconfig " + file + " is not a kubeconfig: " + firstLine(e), e);
        }
    }

    private static String firstLine(Throwable problem) {
        String text = ApiProblem.root(problem);
        return text.lines().findFirst().orElse(text);
    }

    private Optional<Path> checkContext(Optional<String> wanted) {
        String name = wanted.or(() -> parsed.values().stream()
                        .map(Config::getCurrentContext)
                        .filter(current -> current != null && !current.isEmpty())
                        .findFirst())
                .orElseThrow(() -> new AccessException("the kubeconfig " + names() + " has no current-context"));
        for (Config config : parsed.values()) {
            for (NamedContext context : config.getContexts()) {
                if (name.equals(context.getName()) && context.getContext() != null) {
                    checkCluster(name, context.getContext().getCluster());
                    return checkUser(name, context.getContext().getUser());
                }
            }
        }
        throw new AccessException("the kubeconfig " + names() + " has no context " + name);
    }

    private void checkCluster(String context, @Nullable String name) {
        for (Map.Entry<Path, Config> file : parsed.entrySet()) {
            for (var cluster : file.getValue().getClusters()) {
                if (cluster.getName() != null && cluster.getName().equals(name) && cluster.getCluster() != null) {
                    Cluster found = cluster.getCluster();
                    if (isUnset(found.getCertificateAuthorityData())) {
                        readable(file.getKey(), "certificate-authority", found.getCertificateAuthority());
                    }
                    return;
                }
            }
        }
        throw new AccessException("context " + context + " of the kubeconfig " + names() + " names the cluster " + name
                + ", which is not in it");
    }

    private Optional<Path> checkUser(String context, @Nullable String name) {
        for (Map.Entry<Path, Config> file : parsed.entrySet()) {
            for (var user : file.getValue().getUsers()) {
                if (user.getName() != null && user.getName().equals(name) && user.getUser() != null) {
                    AuthInfo found = user.getUser();
                    if (isUnset(found.getClientCertificateData())) {
                        readable(file.getKey(), "client-certificate", found.getClientCertificate());
                    }
                    if (isUnset(found.getClientKeyData())) {
                        readable(file.getKey(), "client-key", found.getClientKey());
                    }
                    return readable(file.getKey(), "tokenFile", found.getTokenFile());
                }
            }
        }
        if (isUnset(name)) {
            return Optional.empty();
        }
        throw new AccessException("context " + context + " of the kubeconfig " + names() + " names the user " + name
                + ", which is not in it");
    }

    private static boolean isUnset(@Nullable String value) {
        return value == null || value.isEmpty();
    }

    /** Paths are relative to the kubeconfig's directory. */
    private static Optional<Path> readable(Path kubeconfig, String what, @Nullable String path) {
        if (path == null || path.isEmpty()) {
            return Optional.empty();
        }
        Path file = kubeconfig.toAbsolutePath().resolveSibling(path);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new AccessException(what + " " + file + " of the kubeconfig " + kubeconfig + " cannot be read");
        }
        return Optional.of(file);
    }

    private String names() {
        return String.join(", ", files.stream().map(Path::toString).toList());
    }
}
