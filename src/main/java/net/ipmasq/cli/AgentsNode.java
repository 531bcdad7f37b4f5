package net.ipmasq.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.Cidr;
import net.ipmasq.observe.PodFindings;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.PodJudge;
import net.ipmasq.policy.PodNetwork;

/**
 * What the running agent knows of its node from the cluster, beside what the node itself shows.
 *
 * @param described name, podCIDRs and addresses; empty without an agent, or where it does not know them
 */
record AgentsNode(Optional<Map<?, ?>> described, PodNetwork pods) {

    static AgentsNode of(RunningAgent.Answer agent, NodeFiles files) {
        Optional<Map<?, ?>> described = agent instanceof RunningAgent.Answer.Status(Map<String, Object> status)
                        && status.get("node") instanceof Map<?, ?> node
                ? Optional.of(node)
                : Optional.empty();
        return new AgentsNode(described, PodFindings.network(described, files));
    }

    /** The range of this node's pods that an answer takes the caller's address from; empty for any other answer. */
    Optional<Cidr> podRange(Decision decision) {
        return decision.verdict() == Decision.Verdict.MASQUERADE ? pods.rangeOf(decision.address()) : Optional.empty();
    }

    /** The node, and what a configuration means for its pods: some lines, or none. */
    String text(EffectiveConfig config, MasqPolicy policy) {
        StringBuilder text = new StringBuilder();
        described.ifPresent(node -> text.append("node ")
                .append(node.get("name"))
                .append(": ")
                .append(
                        node.get("why") == null
                                ? "podCIDRs " + node.get("podCIDRs") + ", addresses " + node.get("addresses")
                                : node.get("why"))
                .append('\n'));
        for (Problem problem : PodJudge.judge(List.of(), config, policy, pods)) {
            text.append(problem.oneLine()).append('\n');
        }
        return text.toString();
    }
}
