package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import net.ipmasq.app.Assembly;
import net.ipmasq.bundle.cli.AgentBundleCommand;
import net.ipmasq.cli.Cli;
import org.junit.jupiter.api.Test;

/** What an uninstall that removes the rules adds to the manifests; without that, nothing. */
class UninstallTest {
    private static final String NAME = "cce-ip-masq-agent-uninstall";
    private static final Rendered REMOVING = Rendered.of("uninstall: {preserveRules: false, timeoutSeconds: 77}");

    @Test
    void byDefaultTheRulesStayAndThereIsNoHook() {
        assertThat(Rendered.defaults().text()).doesNotContain("pre-delete", NAME);
    }

    /** None belongs to the release, all are gone when the Job is done; account and rights come before the Job. */
    @Test
    void everythingOfItIsAHook() {
        List<Map<String, Object>> hooks = REMOVING.documents().stream()
                .filter(document -> Rendered.name(document).endsWith("/" + NAME))
                .toList();
        assertThat(hooks)
                .extracting(document -> document.get("kind"))
                .containsExactlyInAnyOrder("ServiceAccount", "Role", "RoleBinding", "Job");
        assertThat(hooks).allSatisfy(document -> {
            Map<String, Object> annotations =
                    Bundle.map(Bundle.at(document, "metadata", "annotations").orElseThrow());
            assertThat(annotations)
                    .containsEntry("helm.sh/hook", "pre-delete")
                    .containsEntry("helm.sh/hook-delete-policy", "before-hook-creation,hook-succeeded")
                    .containsEntry("helm.sh/hook-weight", document.get("kind").equals("Job") ? "0" : "-10");
        });
    }

    @Test
    void theJobRunsACommandThatThereIsAndMayDoNothingOnItsNode() {
        Job job = REMOVING.object(Job.class, NAME);
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        Container container = pod.getContainers().getFirst();
        assertThat(container.getArgs()).containsExactly("bundle", "cleanup-nodes", "--timeout=77");
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(107);
        String[] help = {"bundle", "cleanup-nodes", "--timeout=77", "--help"};
        assertThat(new Cli(Assembly.ofThisMachine(), (settings, log) -> 99, new AgentBundleCommand())
                        .to(new java.io.PrintWriter(new java.io.StringWriter()), new java.io.PrintWriter(System.err))
                        .execute(help))
                .isZero();
        assertThat(pod.getHostNetwork()).isTrue();
        assertThat(pod.getTolerations())
                .as("no node that is not ready, or is being emptied")
                .extracting(Toleration::getKey)
                .containsExactly(
                        "node-role.kubernetes.io/control-plane",
                        "node-role.kubernetes.io/master",
                        "CriticalAddonsOnly");
        assertThat(pod.getServiceAccountName()).isEqualTo(NAME);
        assertThat(container.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(container.getSecurityContext().getCapabilities().getAdd()).isEmpty();
        assertThat(container.getImage()).isEqualTo("ip-masq-agent:" + Bundle.version());
    }
}
