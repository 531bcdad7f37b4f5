package net.ipmasq.dataplane.backend;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.ForeignRuleProbe;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.nftables.NftablesDataplane;

/** Looks at the node; changes nothing. */
public final class NodeSurvey implements Survey {
    private static final Pattern RELEASE = Pattern.compile("^(\\d+)\\.(\\d+)");

    private final IptablesDataplane iptables;
    private final NftablesDataplane nftables;
    private final NodeFiles files;
    private NftablesDataplane.Tables tables = new NftablesDataplane.Tables(Set.of(), Optional.empty());
    private Optional<String> doubt = Optional.empty();

    public NodeSurvey(IptablesDataplane iptables, NftablesDataplane nftables, NodeFiles files) {
        this.iptables = iptables;
        this.nftables = nftables;
        this.files = files;
    }

    @Override
    public int kernel() {
        Matcher release =
                RELEASE.matcher(files.read("/proc/sys/kernel/osrelease").orElse(""));
        return release.find() ? Integer.parseInt(release.group(1)) * 100 + Integer.parseInt(release.group(2)) : 0;
    }

    @Override
    public int nft() {
        int version = nftables.toolVersion();
        doubt = version == 0 ? nftables.toolDoubt().map(Failure::message) : Optional.empty();
        return version;
    }

    @Override
    public boolean kubeProxyInNftables() {
        tables = nftables.tables();
        doubt = tables.failure().filter(failure -> !failure.code().isLasting()).map(Failure::message);
        return tables.names().contains("kube-proxy");
    }

    @Override
    public Optional<String> doubt() {
        return doubt;
    }

    @Override
    public Optional<String> closedToIptables() {
        // without such a table there can be nothing in it, and asking iptables is expensive
        return tables.names().contains("nat") ? iptables.closed() : Optional.empty();
    }

    @Override
    public ForeignRuleProbe othersInIptables() {
        return iptables.othersInNat();
    }
}
