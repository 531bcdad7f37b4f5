package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.NodeFacts;
import net.ipmasq.profile.BuiltInProfiles;
import org.junit.jupiter.api.Test;

/** What {@code explain} adds of the node beside a running agent. */
class AgentsNodeTest {
    private static final NodeFiles NO_FILES = path -> Optional.empty();
    private static final EffectiveConfig CONFIG = EffectiveConfig.of(
            ((ConfigOutcome.Loaded) ConfigReader.read("nonMasqueradeCIDRs: [192.168.0.0/16, fc00::/7]")).config(),
            BuiltInProfiles.profile("cce").orElseThrow());
    private static final MasqPolicy POLICY = MasqPolicy.of(CONFIG, EnumSet.allOf(IpFamily.class));

    private static AgentsNode node(Map<String, Object> description) {
        return AgentsNode.of(new RunningAgent.Answer.Status(Map.of("node", description)), NO_FILES);
    }

    @Test
    void aPodRangeThatIsMasqueradedIsWarnedOf() {
        AgentsNode node = node(Map.of("name", "n1", "podCIDRs", List.of("10.244.1.0/24"), "addresses", List.of()));
        assertThat(node.text(CONFIG, POLICY).lines())
                .hasSize(2)
                .anyMatch(line -> line.equals("node n1: podCIDRs [10.244.1.0/24], addresses []"))
                .anyMatch(line -> line.startsWith("warning: nonMasqueradeCIDRs: the pod range 10.244.1.0/24"));
    }

    @Test
    void anAnswerForSuchAPodNamesTheRange() {
        AgentsNode node = node(Map.of("name", "n1", "podCIDRs", List.of("10.244.1.0/24", "192.168.7.0/24")));
        assertThat(node.podRange(POLICY.explain(IpAddress.of("10.244.1.9"), NodeFacts.UNKNOWN)))
                .hasValue(Cidr.of("10.244.1.0/24"));
        assertThat(node.podRange(POLICY.explain(IpAddress.of("10.244.2.9"), NodeFacts.UNKNOWN)))
                .isEmpty();
        assertThat(node.podRange(POLICY.explain(IpAddress.of("192.168.7.9"), NodeFacts.UNKNOWN)))
                .as("kept")
                .isEmpty();
    }

    @Test
    void whyNothingIsKnownIsSaidAndNothingElse() {
        assertThat(node(Map.of("name", "n1", "why", "there is no node of that name"))
                        .text(CONFIG, POLICY))
                .isEqualTo("node n1: there is no node of that name\n");
        assertThat(AgentsNode.of(new RunningAgent.Answer.None("no agent"), NO_FILES)
                        .text(CONFIG, POLICY))
                .isEmpty();
    }
}
