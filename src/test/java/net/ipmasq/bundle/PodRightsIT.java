package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent does its work with the pod's environment, user and capabilities, no new privileges and a read-only root. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "setpriv", "unshare", "mount"})
class PodRightsIT {
    /** /tmp stays writable, as in the pod; the test's directories are below it. */
    private static final String READ_ONLY_ROOT =
            "mount --make-rprivate / && mount --bind /tmp /tmp && mount -o remount,bind,ro / && exec \"$@\"";

    @TempDir
    Path dir;

    private NetNs ns;

    @BeforeEach
    void namespace() {
        ns = NetNs.create();
    }

    @AfterEach
    void remove() {
        ns.close();
    }

    private static List<String> confined(Container container, boolean withRights) {
        Capabilities capabilities = container.getSecurityContext().getCapabilities();
        String added = withRights
                ? capabilities.getAdd().stream()
                        .map(name -> ",+" + name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining())
                : "";
        return List.of(
                "unshare",
                "--mount",
                "sh",
                "-ec",
                READ_ONLY_ROOT,
                "sh",
                "setpriv",
                "--reuid=" + container.getSecurityContext().getRunAsUser(),
                "--regid=" + container.getSecurityContext().getRunAsGroup(),
                "--clear-groups",
                "--no-new-privs",
                "--inh-caps=-all",
                "--bounding-set=-all" + added);
    }

    /** The rendered profile and configuration as the volumes have them, and the environment that points there. */
    private Map<String, String> mounted(Rendered rendered, Container container) throws IOException {
        Path profile = Files.writeString(dir.resolve("profile"), rendered.data("cce-ip-masq-agent-profile", "profile"));
        Path config = Files.writeString(dir.resolve("ip-masq-agent"), rendered.data("cce-ip-masq-agent", "config"));
        Map<String, String> env = new HashMap<>();
        for (EnvVar variable : container.getEnv()) {
            if (variable.getValue() != null) {
                env.put(
                        variable.getName(),
                        variable.getValue().replace("/etc/ip-masq-agent-profile/profile", profile.toString()));
            }
        }
        env.put("IP_MASQ_CONFIG", config.toString());
        env.put("IP_MASQ_STATE_DIR", dir.resolve("state").toString());
        return env;
    }

    private AgentProcess.Result runOnce(String values, boolean withRights) throws IOException {
        return confined(values, withRights, "run", "--once");
    }

    private AgentProcess.Result confined(String values, boolean withRights, String... args) throws IOException {
        Rendered rendered = Rendered.of(values);
        Container container = rendered.object(DaemonSet.class, "cce-ip-masq-agent")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
        assertThat(container.getArgs()).containsExactly("run");
        return AgentProcess.run(ns, mounted(rendered, container), confined(container, withRights), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables-nft", "iptables-legacy"})
    void whatThePodIsGivenIsEnough(String backend) throws IOException {
        AgentProcess.Result result =
                runOnce("{profile: {name: gke}, agent: {source: file, backend: " + backend + "}}", true);
        assertThat(result.code()).as("%s", result).isZero();
        String save = backend.equals("iptables-nft") ? "iptables-nft-save" : "iptables-legacy-save";
        assertThat(ns.run(save, "-t", "nat")).contains(":IP-MASQ ", "-d 240.0.0.0/4");
        assertThat(dir.resolve("state")).isNotEmptyDirectory();
        // what an uninstall runs on the node has the same pod around it
        AgentProcess.Result cleanup =
                confined("{profile: {name: gke}, agent: {source: file, backend: " + backend + "}}", true, "cleanup");
        assertThat(cleanup.code()).as("%s", cleanup).isZero();
        assertThat(ns.run(save, "-t", "nat")).doesNotContain("IP-MASQ");
        assertThat(dir.resolve("state")).isEmptyDirectory();
    }

    @Test
    void andWithoutItsCapabilitiesItIsNot() throws IOException {
        AgentProcess.Result result = runOnce("agent: {source: file}", false);
        assertThat(result.code()).as("%s", result).isEqualTo(5);
    }
}
