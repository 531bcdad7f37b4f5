package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.ipmasq.agent.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pods are allowed, where they run, and what the agent is told. */
class DaemonSetTest {
    private static DaemonSet of(String values) {
        return Rendered.of(values).object(DaemonSet.class, "cce-ip-masq-agent");
    }

    private static PodSpec pod(String values) {
        return of(values).getSpec().getTemplate().getSpec();
    }

    private static Container container(String values) {
        return pod(values).getContainers().getFirst();
    }

    private static Map<String, EnvVar> env(String values) {
        return container(values).getEnv().stream().collect(Collectors.toMap(EnvVar::getName, e -> e));
    }

    /** The settings as the agent reads them from the pod's environment; what a node would fill in is "filled-in". */
    private static Settings settings(String values) {
        Map<String, EnvVar> env = env(values);
        TreeSet<String> unread = new TreeSet<>(env.keySet());
        Settings settings = Settings.of(name -> {
            String variable = Settings.environmentName(name);
            unread.remove(variable);
            return Optional.ofNullable(env.get(variable))
                    .map(e -> e.getValueFrom() == null ? e.getValue() : "filled-in");
        });
        assertThat(unread).as("variables that the agent does not know").isEmpty();
        return settings;
    }

    @Test
    void theContainerHasTwoCapabilitiesAndNothingElse() {
        PodSpec pod = pod("{}");
        assertThat(pod.getContainers()).hasSize(1);
        assertThat(pod.getInitContainers()).isEmpty();
        assertThat(pod.getHostNetwork()).isTrue();
        assertThat(pod.getHostPID()).isNull();
        assertThat(pod.getHostIPC()).isNull();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        SecurityContext context = container("{}").getSecurityContext();
        assertThat(context.getRunAsUser()).isZero();
        assertThat(context.getPrivileged()).isFalse();
        assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(context.getCapabilities().getAdd()).containsExactly("NET_ADMIN", "NET_RAW");
    }

    @Test
    void mountsAreThoseThatTheAgentNeeds() {
        Map<String, Volume> volumes =
                pod("{}").getVolumes().stream().collect(Collectors.toMap(Volume::getName, v -> v));
        List<VolumeMount> mounts = container("{}").getVolumeMounts();
        assertThat(mounts)
                .extracting(VolumeMount::getMountPath)
                .containsExactlyInAnyOrder(
                        "/etc/config", Settings.DEFAULT_STATE_DIR, "/run/xtables.lock", "/lib/modules", "/tmp");
        assertThat(mounts)
                .filteredOn(mount -> Boolean.TRUE.equals(mount.getReadOnly()))
                .extracting(VolumeMount::getMountPath)
                .containsExactlyInAnyOrder("/etc/config", "/lib/modules");
        assertThat(mounts).extracting(VolumeMount::getSubPath).containsOnlyNulls();
        assertThat(volumes.get("xtables-lock").getHostPath().getType()).isEqualTo("FileOrCreate");
        assertThat(volumes.get("state").getHostPath().getType()).isEqualTo("DirectoryOrCreate");
        assertThat(volumes.get("tmp").getEmptyDir()).isNotNull();
        // the file that Settings.DEFAULT_CONFIG names
        assertThat(volumes.get("config").getConfigMap().getItems().getFirst().getPath())
                .isEqualTo("ip-masq-agent");
        assertThat(volumes.get("config").getConfigMap().getOptional()).isTrue();
    }

    @Test
    void itRunsEverywhereFirstAndIsReplacedNodeByNode() {
        PodSpec pod = pod("{}");
        assertThat(pod.getPriorityClassName()).isEqualTo("system-node-critical");
        assertThat(pod.getTolerations()).hasSize(1);
        assertThat(pod.getTolerations().getFirst().getOperator()).isEqualTo("Exists");
        assertThat(pod.getNodeSelector()).containsExactly(Map.entry("kubernetes.io/os", "linux"));
        assertThat(of("{}").getSpec().getUpdateStrategy().getRollingUpdate().getMaxUnavailable())
                .isEqualTo(new IntOrString("10%"));
        assertThat(of("updateStrategy: {maxUnavailable: '3'}")
                        .getSpec()
                        .getUpdateStrategy()
                        .getRollingUpdate()
                        .getMaxUnavailable())
                .isEqualTo(new IntOrString(3));
        assertThat(of("updateStrategy: {type: OnDelete}")
                        .getSpec()
                        .getUpdateStrategy()
                        .getRollingUpdate())
                .isNull();
        assertThat(pod("nodeSelector: {node.kubernetes.io/masq-agent-ds-ready: 'true'}")
                        .getNodeSelector())
                .containsEntry("node.kubernetes.io/masq-agent-ds-ready", "true")
                .hasSize(2);
    }

    @Test
    void theSelectorNeverHoldsAVersion() {
        // it cannot be changed by an upgrade
        assertThat(of("{}").getSpec().getSelector().getMatchLabels())
                .containsOnlyKeys("app.kubernetes.io/name", "app.kubernetes.io/instance");
        assertThat(of("{podLabels: {app.kubernetes.io/name: mine}}")
                        .getSpec()
                        .getTemplate()
                        .getMetadata()
                        .getLabels())
                .containsEntry("app.kubernetes.io/name", "ip-masq-agent");
    }

    @Test
    void theAgentUnderstandsItsEnvironment() {
        Settings settings = settings("agent: {logFormat: json, source: kubernetes, backend: iptables-nft}");
        assertThat(settings.jsonLogs()).isTrue();
        assertThat(settings.source()).isEqualTo(Settings.Source.KUBERNETES);
        assertThat(settings.backend().key()).isEqualTo("iptables-nft");
        Settings defaults = settings("{}");
        assertThat(defaults.profile()).isEqualTo(Settings.DEFAULT_PROFILE);
        assertThat(defaults.host()).isEqualTo(Settings.DEFAULT_HOST);
        assertThat(defaults.port()).isEqualTo(Settings.DEFAULT_PORT);
        assertThat(defaults.backend().key()).isEqualTo(Settings.BACKENDS.getFirst());
        assertThat(defaults.stateDir()).hasToString(Settings.DEFAULT_STATE_DIR);
        assertThat(env("{}")
                        .get("IP_MASQ_NODE_NAME")
                        .getValueFrom()
                        .getFieldRef()
                        .getFieldPath())
                .isEqualTo("spec.nodeName");
    }

    @Test
    void aProfileThatIsNotTheDefaultIsMountedForTheFirstPassOfANewNode() {
        for (String values :
                List.of("profile: {name: gke}", "profile: {overrides: {enforced: ['169.254.169.254/32']}}")) {
            assertThat(settings(values).profile()).isEqualTo("/etc/ip-masq-agent-profile/profile");
            assertThat(container(values).getVolumeMounts())
                    .extracting(VolumeMount::getMountPath)
                    .contains("/etc/ip-masq-agent-profile");
        }
    }

    /** Who asks from where: the listener has one address, so the probes must go there. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            {}                                                      | 127.0.0.1 | 127.0.0.1 | -
            metrics: {port: 19555}                                  | 127.0.0.1 | 127.0.0.1 | -
            podMonitor: {enabled: true}                             | filled-in | -         | 19180
            metrics: {address: node, port: 19555}                   | filled-in | -         | 19555
            metrics: {address: all}                                 | 0.0.0.0   | 127.0.0.1 | 19180
            {podMonitor: {enabled: true}, metrics: {address: all}}  | 0.0.0.0   | 127.0.0.1 | 19180
            """, delimiter = '|')
    void probesAskWhereTheAgentListens(String values, String listens, String asks, Integer port) {
        Settings settings = settings(values);
        assertThat(settings.host()).isEqualTo(listens);
        if (listens.equals("filled-in")) {
            assertThat(env(values)
                            .get("IP_MASQ_HOST")
                            .getValueFrom()
                            .getFieldRef()
                            .getFieldPath())
                    .isEqualTo("status.hostIP");
        }
        Container container = container(values);
        for (Probe probe :
                List.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe())) {
            assertThat(probe.getHttpGet().getHost()).isEqualTo(asks);
            assertThat(probe.getHttpGet().getPort()).isEqualTo(new IntOrString(settings.port()));
        }
        assertThat(container.getPorts().stream().map(p -> p.getContainerPort()).toList())
                .isEqualTo(port == null ? List.of() : List.of(port));
    }

    /** A rollout waits for Ready in every wave of nodes; a node that has a bad moment stays ready for half a minute. */
    @Test
    void readyIsAskedOftenAndTakenBackSlowly() {
        Container container = container("{}");
        Probe startup = container.getStartupProbe();
        Probe ready = container.getReadinessProbe();
        assertThat(startup.getPeriodSeconds()).isEqualTo(1);
        assertThat(startup.getPeriodSeconds() * startup.getFailureThreshold()).isEqualTo(180);
        assertThat(ready.getPeriodSeconds()).isEqualTo(2);
        assertThat(ready.getTimeoutSeconds()).isEqualTo(2);
        assertThat(ready.getPeriodSeconds() * ready.getFailureThreshold()).isEqualTo(30);
        for (Probe probe : List.of(startup, ready)) {
            assertThat(probe.getInitialDelaySeconds()).isNull();
        }
        assertThat(container.getLivenessProbe().getFailureThreshold()).isEqualTo(3);
    }

    @Test
    void anImageIsNamedByDigestWhereThereIsOne() {
        assertThat(container("{}").getImage()).isEqualTo("ip-masq-agent:" + Bundle.version());
        assertThat(container("image: {registry: 'registry.example.com:5000', repository: a/b, tag: v1}")
                        .getImage())
                .isEqualTo("registry.example.com:5000/a/b:v1");
        String digest = "sha256:" + "0a".repeat(32);
        assertThat(container("image: {tag: v1, digest: '" + digest + "'}").getImage())
                .isEqualTo("ip-masq-agent@" + digest);
    }
}
