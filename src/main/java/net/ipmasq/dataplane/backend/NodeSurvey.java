package net.ipmasq.dataplane.backend;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.OthersRule;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.nftables.NftablesDataplane;

/** Looks at the node; changes nothing. */
public final class NodeSurvey implements Survey {
    private static final Pattern RELEASE = Pattern.compile("^(\\d+)\\.(\\d+)");

    private final IptablesDataplane iptables;
    private final NftablesDataplane nftables;
    private final NodeFiles files;

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
        return nftables.toolVersion();
    }

    @Override
    public boolean kubeProxyInNftables() {
        return nftables.tableExists("kube-proxy");
    }

    @Override
    public OthersRule othersInIptables() {
        return iptables.othersInNat();
    }
}
