package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.iptables.IptablesRenderer;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;

/** The packet lab's node with our rules by one backend, beside rules that somebody else wrote. */
final class SharedNode implements AutoCloseable {

    /** Our backend, and the iptables that somebody else uses. */
    enum Setup {
        IPTABLES_NFT(Variant.NFT, false),
        IPTABLES_LEGACY(Variant.LEGACY, false),
        NFTABLES_BESIDE_IPTABLES_NFT(Variant.NFT, true),
        NFTABLES_BESIDE_IPTABLES_LEGACY(Variant.LEGACY, true);

        private final Variant theirs;
        private final boolean nftables;

        Setup(Variant theirs, boolean nftables) {
            this.theirs = theirs;
            this.nftables = nftables;
        }

        boolean nftables() {
            return nftables;
        }
    }

    /** Whose address a packet leaves with. */
    enum Source {
        POD,
        /** What masquerading gives. */
        NODE,
        /** What somebody else's SNAT gives. */
        THEIRS
    }

    /** The sources of a packet that we exempt and of one that we masquerade. */
    record SeenSources(Source exempted, Source masqueraded) {}

    private final PacketLab lab;

    SharedNode() {
        this.lab = PacketLab.create();
    }

    PacketLab lab() {
        return lab;
    }

    /** Our rules, as the agent writes them; of two hands the later one's rules stand behind the earlier one's. */
    void ours(Setup setup, IpFamily family) {
        if (setup.nftables()) {
            nft(table(family));
        } else {
            NodeKernel.in(lab.node(), setup.theirs).load(family, lines(family));
        }
    }

    /** Our table of nft as text. */
    static String table(IpFamily family) {
        return net.ipmasq.dataplane.nftables.NftRenderer.render(rules(family), family);
    }

    private static String[] lines(IpFamily family) {
        return IptablesRenderer.render(rules(family))
                .lines()
                .filter(line -> line.startsWith(":") || line.startsWith("-A "))
                .toArray(String[]::new);
    }

    private static FamilyRules rules(IpFamily family) {
        Cidr exempted = Cidr.of(family == IpFamily.IPV4 ? "10.0.0.0/8" : "fc00::/7");
        return new FamilyRules.Listed(
                "IP-MASQ-AGENT", List.of(new Rule.Exempt(exempted), new Rule.MasqueradeRest(Optional.empty(), false)));
    }

    /** Rules of somebody else's iptables. */
    void theirs(Setup setup, IpFamily family, String... lines) {
        theirs(setup.theirs, family, lines);
    }

    void theirs(Variant variant, IpFamily family, String... lines) {
        NodeKernel.in(lab.node(), variant)
                .load(
                        family,
                        List.of(lines).stream().map(line -> fill(line, family)).toArray(String[]::new));
    }

    /** Somebody else's base chain of nft. */
    void theirChain(IpFamily family, String priority, String rule) {
        nft("""
                table %1$s somebody {
                  chain c%2$s { type nat hook postrouting priority %2$s; policy accept; %3$s; }
                }
                """.formatted(family == IpFamily.IPV4 ? "ip" : "ip6", priority, fill(rule, family)));
    }

    void nft(String text) {
        lab.node().runWith(text, "nft", "-f", "-");
    }

    private String fill(String text, IpFamily family) {
        return text.replace("POD", lab.podAddress(family).toString())
                .replace("THEIRS", theirAddress(family).toString());
    }

    static IpAddress exempted(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "10.1.2.3" : "fd00::3");
    }

    static IpAddress masqueraded(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "203.0.113.7" : "2001:db8::7");
    }

    private static IpAddress theirAddress(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "198.19.2.77" : "2001:2:0:2::77");
    }

    /** Sends a packet of each kind. UDP: nobody answers at their address, and a first packet says it all. */
    SeenSources sources(IpFamily family) {
        return new SeenSources(source(exempted(family)), source(masqueraded(family)));
    }

    Source source(IpAddress destination) {
        IpFamily family = destination.family();
        IpAddress source = lab.udp(destination).source().orElseThrow();
        if (source.equals(lab.podAddress(family))) {
            return Source.POD;
        }
        if (source.equals(lab.nodeAddress(family))) {
            return Source.NODE;
        }
        assertThat(source).isEqualTo(theirAddress(family));
        return Source.THEIRS;
    }

    /** Nobody's rules any more. */
    void clear() {
        lab.node().sh("""
                nft flush ruleset
                for tool in iptables-legacy ip6tables-legacy; do $tool -t nat -F; $tool -t nat -X; done
                """);
    }

    @Override
    public void close() {
        lab.close();
    }
}
