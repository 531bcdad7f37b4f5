package net.ipmasq.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.agent.KernelWatch;
import net.ipmasq.agent.masquerade.Given;
import net.ipmasq.agent.masquerade.Masquerading;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.jspecify.annotations.Nullable;

/** Finds the source addresses that masquerading gives the packets of a pod. Without a way to the kernel it says so. */
final class SourceFinder implements AutoCloseable {
    private final @Nullable Masquerading masquerading;
    private final String trouble;
    private final Map<IpFamily, IpAddress> pods = new EnumMap<>(IpFamily.class);
    private final Set<IpFamily> asked = EnumSet.noneOf(IpFamily.class);

    /**
     * @param from where the packets come from, if somebody says so
     * @param podCidrs the node's pod ranges, as far as they are known; else a pod is taken from them
     */
    SourceFinder(Optional<IpAddress> from, List<Cidr> podCidrs, NodeFiles files) {
        this(from, podCidrs, () -> Masquerading.open(files));
    }

    SourceFinder(Optional<IpAddress> from, List<Cidr> podCidrs, KernelWatch.Opener<Masquerading> kernel) {
        Masquerading opened = null;
        String why = "";
        try {
            opened = kernel.open();
        } catch (IOException e) {
            why = "the kernel cannot be asked for the route (" + e.getMessage() + ")";
        }
        masquerading = opened;
        trouble = why;
        from.ifPresent(address -> pods.put(address.family(), address));
        if (opened != null) {
            for (IpFamily family : IpFamily.values()) {
                if (!pods.containsKey(family)) {
                    opened.podAddress(podCidrs, family).ifPresent(address -> pods.put(family, address));
                }
            }
        }
    }

    /** The ranges in the status of a running agent; none where it knows none. */
    static List<Cidr> podCidrs(RunningAgent.Answer agent) {
        List<Cidr> ranges = new ArrayList<>();
        if (agent instanceof RunningAgent.Answer.Status(Map<String, Object> status)
                && status.get("node") instanceof Map<?, ?> node
                && node.get("podCIDRs") instanceof List<?> texts) {
            for (Object text : texts) {
                if (CidrSyntax.parse(String.valueOf(text)) instanceof CidrSyntax.Good good) {
                    ranges.add(good.cidr());
                }
            }
        }
        return ranges;
    }

    Given given(IpAddress destination) {
        asked.add(destination.family());
        return masquerading == null
                ? new Given.NotKnown(trouble)
                : masquerading.source(destination, pod(destination.family()));
    }

    /** The pod that the answers of a family are about; empty if none is known. */
    Optional<IpAddress> pod(IpFamily family) {
        return Optional.ofNullable(pods.get(family));
    }

    /** One line for each family that was asked for: whose packets the answers are about, where that matters. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        for (IpFamily family : asked) {
            Optional<IpAddress> pod = pod(family);
            if (masquerading != null && pod.isPresent()) {
                lines.append(family.label())
                        .append(" source: that of packets from ")
                        .append(pod.get())
                        .append(masquerading
                                .deviceOf(pod.get())
                                .map(device -> " on " + device)
                                .orElse(""))
                        .append('\n');
            } else if (masquerading != null && masquerading.dependsOnOrigin(family)) {
                lines.append(family.label())
                        .append(" source: that of packets of the node itself; this node routes by source or incoming")
                        .append(" device, so name a pod's address with --from\n");
            }
        }
        return lines.toString();
    }

    @Override
    public void close() {
        if (masquerading != null) {
            masquerading.close();
        }
    }
}
