package net.ipmasq.bench;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;

/** The agent's dataplane of a backend in one namespace, IPv4. */
enum FlowBackend {
    IPTABLES_NFT(Backend.IPTABLES_NFT),
    IPTABLES_LEGACY(Backend.IPTABLES_LEGACY),
    NFTABLES(Backend.NFTABLES);

    private final String key;

    FlowBackend(Backend backend) {
        this.key = backend.key();
    }

    String key() {
        return key;
    }

    On on(NetNs node) {
        return new On(this, node);
    }

    private Dataplane dataplane(NetNsRunner runner, NetNs node) {
        NetNsFiles files = new NetNsFiles(node);
        return switch (this) {
            case IPTABLES_NFT -> new IptablesDataplane(runner, files, Optional.of(Variant.NFT));
            case IPTABLES_LEGACY -> new IptablesDataplane(runner, files, Optional.of(Variant.LEGACY));
            case NFTABLES -> new NftablesDataplane(runner, files);
        };
    }

    /** One backend in one namespace. */
    static final class On {
        static final String CHAIN = "IP-MASQ-AGENT";

        private final FlowBackend backend;
        private final NetNs node;
        private final NetNsRunner runner;
        private final Dataplane dataplane;
        private Observed observed = new Observed(Map.of());

        private On(FlowBackend backend, NetNs node) {
            this.backend = backend;
            this.node = node;
            this.runner = new NetNsRunner(node);
            this.dataplane = backend.dataplane(runner, node);
        }

        FlowBackend backend() {
            return backend;
        }

        /** Leaves nothing in the namespace, so that the next load starts from an empty one. */
        void empty() {
            node.sh(
                    backend == IPTABLES_LEGACY
                            ? "iptables-legacy -t nat -F; iptables-legacy -t nat -X"
                            : "nft flush ruleset");
        }

        /** What the kernel holds now; a write is against that. */
        void read() {
            // the runner keeps every listing that it saw
            runner.forget();
            observed = dataplane.observe(CHAIN, Set.of(IpFamily.IPV4));
        }

        /** Turns what was read into {@code desired}, and returns the bytes of the text that did it. */
        int write(FamilyRules desired) {
            Map<IpFamily, FamilyRules> families = Map.of(IpFamily.IPV4, desired);
            ApplyOutcome outcome =
                    dataplane.apply(Ruleset.of(CHAIN, families), observed).get(IpFamily.IPV4);
            if (outcome instanceof ApplyOutcome.Applied applied) {
                return applied.bytes();
            }
            throw new IllegalStateException(backend.key() + ": " + outcome);
        }
    }
}
