package net.ipmasq.observe;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.json.Json;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.PodJudge;
import net.ipmasq.policy.PodNetwork;

/** What is in force, judged for the pods of this node: for {@code status} and {@code explain}, never for an Event. */
public final class PodFindings {
    private static final Map<IpFamily, String> FORWARDING = Map.of(
            IpFamily.IPV4, "/proc/sys/net/ipv4/ip_forward",
            IpFamily.IPV6, "/proc/sys/net/ipv6/conf/all/forwarding");

    private PodFindings() {}

    /**
     * The network of this node's pods.
     *
     * @param description the result of {@link NodeDescription}; its {@code podCIDRs} are used
     */
    public static PodNetwork network(Optional<? extends Map<?, ?>> description, NodeFiles files) {
        List<Cidr> ranges = Json.list(
                        description.map(node -> node.get("podCIDRs")).orElse(null))
                .stream()
                .flatMap(text -> range(String.valueOf(text)).stream())
                .distinct()
                .toList();
        Set<IpFamily> forwards = EnumSet.noneOf(IpFamily.class);
        FORWARDING.forEach((family, file) -> {
            if (files.read(file).map(String::strip).filter("1"::equals).isPresent()) {
                forwards.add(family);
            }
        });
        return new PodNetwork(ranges, forwards);
    }

    /** Read as the API server does, which lets bits after the prefix pass. */
    private static Optional<Cidr> range(String text) {
        int slash = text.indexOf('/');
        Optional<IpAddress> address = slash < 0 ? Optional.empty() : IpAddress.parse(text.substring(0, slash));
        String length = text.substring(slash + 1);
        return address.filter(one -> length.matches("[0-9]{1,3}")
                        && Integer.parseInt(length) <= one.family().bits())
                .map(one -> new Cidr(one.masked(Integer.parseInt(length)), Integer.parseInt(length)));
    }

    /** All findings: those of text and profile, and those for this node. */
    static List<Problem> judge(List<Problem> found, DesiredState inForce, Set<IpFamily> managed, PodNetwork pods) {
        return inForce instanceof DesiredState.Configured configured
                ? PodJudge.judge(found, configured.config(), MasqPolicy.of(configured.config(), managed), pods)
                : found;
    }
}
