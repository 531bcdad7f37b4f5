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
import net.ipmasq.agent.masquerade.SourceAddress;
import net.ipmasq.agent.masquerade.SourceAddressSelection;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.jspecify.annotations.Nullable;

/** Finds the source addresses that masquerading gives the packets of a pod. Where the kernel cannot be asked it reports that. */
final class SourceFinder implements AutoCloseable {
    private final List<Cidr> podCidrs;
    private final KernelWatch.Opener<SourceAddressSelection> kernel;
    private final Map<IpFamily, Optional<IpAddress>> pods = new EnumMap<>(IpFamily.class);
    private final Set<IpFamily> asked = EnumSet.noneOf(IpFamily.class);
    private @Nullable SourceAddressSelection opened;

    /**
     * @param from where the packets come from, if that is given
     * @param podCidrs the node's pod ranges, as far as they are known; else a pod is taken from them
     */
    SourceFinder(Optional<IpAddress> from, List<Cidr> podCidrs, NodeFiles files) {
        this(from, podCidrs, () -> SourceAddressSelection.open(files));
    }

    /** The kernel is asked for nothing before it must: opening the way to it is the longest part. */
    SourceFinder(Optional<IpAddress> from, List<Cidr> podCidrs, KernelWatch.Opener<SourceAddressSelection> kernel) {
        this.podCidrs = List.copyOf(podCidrs);
        this.kernel = kernel;
        from.ifPresent(address -> pods.put(address.family(), from));
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

    SourceAddress given(IpAddress destination) {
        asked.add(destination.family());
        try {
            SourceAddressSelection masquerading = opened == null ? kernel.open() : opened;
            opened = masquerading;
            Optional<IpAddress> pod =
                    pods.computeIfAbsent(destination.family(), family -> masquerading.podAddress(podCidrs, family));
            return masquerading.source(destination, pod);
        } catch (IOException e) {
            return new SourceAddress.NotKnown("the kernel cannot be asked for the route (" + e.getMessage() + ")");
        }
    }

    /** The pod that the answers of a family are about; empty if none is known. */
    Optional<IpAddress> pod(IpFamily family) {
        return pods.getOrDefault(family, Optional.empty());
    }

    /** One line for each family that was asked for: the pod whose packets are meant, where that makes a difference. */
    String lines() {
        SourceAddressSelection masquerading = opened;
        if (masquerading == null) {
            return "";
        }
        StringBuilder lines = new StringBuilder();
        for (IpFamily family : asked) {
            Optional<IpAddress> pod = pod(family);
            if (pod.isPresent()) {
                lines.append(family.label())
                        .append(" source: that of packets from ")
                        .append(pod.get())
                        .append(masquerading
                                .deviceOf(pod.get())
                                .map(device -> " on " + device)
                                .orElse(""))
                        .append('\n');
            } else if (masquerading.dependsOnOrigin(family)) {
                lines.append(family.label())
                        .append(" source: that of packets of the node itself; this node routes by source or incoming")
                        .append(" device, so name a pod's address with --from\n");
            }
        }
        return lines.toString();
    }

    @Override
    public void close() {
        if (opened != null) {
            opened.close();
        }
    }
}
