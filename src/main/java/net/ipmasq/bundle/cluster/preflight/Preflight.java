package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.ipmasq.profile.ProviderProfile;

/** Runs every check, so that one run is enough. Changes nothing in the cluster. */
public final class Preflight {
    /** Of DaemonSet, account and user's ConfigMap alike. */
    static final String NAME = "cce-ip-masq-agent";

    private Preflight() {}

    /**
     * All findings, the worst first.
     *
     * @param namespace where the add-on will be
     * @param profile under which an existing configuration is judged
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the cluster does not answer
     */
    public static List<PreflightFinding> run(
            KubernetesClient client, Requirements requirements, String namespace, ProviderProfile profile) {
        ClusterReader cluster = new ClusterReader(client);
        List<Check> checks = List.of(
                new PlatformCheck(requirements),
                new AgentsCheck(requirements, namespace),
                new MasqueradeCheck(namespace),
                new ProxyCheck(namespace),
                new ConfigCheck(namespace, profile),
                new RightsCheck(requirements, namespace));
        List<PreflightFinding> findings = new ArrayList<>();
        for (Check check : checks) {
            findings.addAll(check.look(cluster));
        }
        findings.addAll(cluster.unread());
        findings.sort(Comparator.comparing(PreflightFinding::severity));
        return findings;
    }
}
