package net.ipmasq.agent;

import java.util.Map;
import java.util.Optional;
import net.ipmasq.app.Assembly;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;

/** Each backend as the settings name it, for tests of what must not depend on it. */
enum TestBackend {
    IPTABLES_NFT("iptables-nft"),
    IPTABLES_LEGACY("iptables-legacy"),
    NFTABLES("nftables");

    private final String key;

    TestBackend(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** As the agent makes it, in a namespace. */
    Dataplane in(NetNs ns) {
        return in(ns, new NetNsRunner(ns));
    }

    Dataplane in(NetNs ns, NetNsRunner runner) {
        Settings settings =
                Settings.of(name -> Optional.ofNullable(Map.of("backend", key).get(name)));
        return new Assembly(runner, new NetNsFiles(ns)).dataplane(settings);
    }
}
