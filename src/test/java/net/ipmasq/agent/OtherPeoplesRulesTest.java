package net.ipmasq.agent;

import static net.ipmasq.agent.SharedNode.Source.NODE;
import static net.ipmasq.agent.SharedNode.Source.POD;
import static net.ipmasq.agent.SharedNode.Source.THEIRS;
import static org.assertj.core.api.Assertions.assertThat;

import net.ipmasq.agent.SharedNode.SeenSources;
import net.ipmasq.agent.SharedNode.Setup;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who decides when somebody else also rewrites sources: in a table that we share (iptables), and with base chains of
 * everybody's own (nftables). The kernel answers with real packets; docs/packet-flow.md has the picture.
 */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class OtherPeoplesRulesTest {
    private static final String THEIR_SNAT = "-A POSTROUTING -s POD -j SNAT --to-source THEIRS";
    private static final String THEIR_MASQUERADE = "-A POSTROUTING -s POD -j MASQUERADE";
    private static final String THEIR_ACCEPT = "-A POSTROUTING -s POD -j ACCEPT";
    private static final String THEIR_RETURN = "-A POSTROUTING -s POD -j RETURN";

    private static final String INET = """
            table inet somebody {
              chain c%1$s { type nat hook postrouting priority %1$s; policy accept; %2$s; }
            }
            """;

    private static SharedNode node;

    @BeforeAll
    static void build() {
        node = new SharedNode();
    }

    @AfterAll
    static void tearDown() {
        if (node != null) {
            node.close();
        }
    }

    @AfterEach
    void noRules() {
        node.clear();
    }

    private static void expect(IpFamily family, SharedNode.Source exempted, SharedNode.Source masqueraded) {
        assertThat(node.sources(family)).as(family.label()).isEqualTo(new SeenSources(exempted, masqueraded));
    }

    private static void oursThenTheirs(Setup setup, IpFamily family, String... lines) {
        node.clear();
        node.ours(setup, family);
        node.theirs(setup, family, lines);
    }

    private static void theirsThenOurs(Setup setup, IpFamily family, String... lines) {
        node.clear();
        node.theirs(setup, family, lines);
        node.ours(setup, family);
    }

    @ParameterizedTest
    @EnumSource
    void alone(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            node.ours(setup, family);
            expect(family, POD, NODE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void snatBehindOurs(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            oursThenTheirs(setup, family, THEIR_SNAT);
            // with nftables there is no behind: their chain comes at 100, ours at 105
            expect(family, THEIRS, setup.nftables() ? THEIRS : NODE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void snatBeforeOurs(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            theirsThenOurs(setup, family, THEIR_SNAT);
            expect(family, THEIRS, THEIRS);
        }
    }

    /** No backend can keep an exemption from a masquerade of somebody else, wherever it stands. */
    @ParameterizedTest
    @EnumSource
    void masqueradeBeforeOrBehindOurs(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            oursThenTheirs(setup, family, THEIR_MASQUERADE);
            expect(family, NODE, NODE);
            theirsThenOurs(setup, family, THEIR_MASQUERADE);
            expect(family, NODE, NODE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptBeforeOurs(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            theirsThenOurs(setup, family, THEIR_ACCEPT);
            // it ends the base chain that it is in, not the hook
            expect(family, POD, setup.nftables() ? NODE : POD);
        }
    }

    /** RETURN in a base chain does what its policy says, and what goes to a chain does not come back from it. */
    @ParameterizedTest
    @EnumSource
    void returnOrGotoInTheBaseChain(Setup setup) {
        String[][] endings = {{THEIR_RETURN}, {":X - [0:0]", "-A POSTROUTING -s POD -g X", "-A X -s POD -j RETURN"}};
        for (IpFamily family : IpFamily.values()) {
            for (String[] ending : endings) {
                theirsThenOurs(setup, family, ending);
                expect(family, POD, setup.nftables() ? NODE : POD);
                oursThenTheirs(setup, family, ending);
                expect(family, POD, NODE);
            }
        }
    }

    /** RETURN in a chain that is called comes back to the caller, also by way of a chain that it goes to. */
    @ParameterizedTest
    @EnumSource
    void returnInACalledChain(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            for (String rule : new String[] {"-A X -s POD -j RETURN", "-A X -s POD -g Y"}) {
                theirsThenOurs(
                        setup, family, ":X - [0:0]", ":Y - [0:0]", "-A POSTROUTING -j X", rule, "-A Y -j RETURN");
                expect(family, POD, NODE);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptOrSnatInACalledChain(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            String[] calls = {":X - [0:0]", "-A POSTROUTING -j X", "-A X -s POD -j ACCEPT"};
            theirsThenOurs(setup, family, calls);
            expect(family, POD, setup.nftables() ? NODE : POD);
            calls[2] = "-A X -s POD -j SNAT --to-source THEIRS";
            theirsThenOurs(setup, family, calls);
            expect(family, THEIRS, THEIRS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptBehindOurs(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            oursThenTheirs(setup, family, THEIR_ACCEPT);
            expect(family, POD, NODE);
        }
    }

    /** In iptables their ACCEPT guards the exemption from whoever comes next in the same table. */
    @ParameterizedTest
    @EnumSource
    void acceptThenSnat(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            oursThenTheirs(setup, family, THEIR_ACCEPT);
            node.theirs(setup, family, THEIR_SNAT);
            expect(family, POD, NODE);
        }
    }

    /** Our exemption ends our base chain, and the packet goes on to the next one, whatever backend we have. */
    @ParameterizedTest
    @EnumSource
    void baseChainAt110(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            node.ours(setup, family);
            node.theirChain(family, "110", "snat to THEIRS");
            expect(family, THEIRS, NODE);
            node.clear();
            node.theirChain(family, "110", "masquerade");
            node.ours(setup, family);
            expect(family, NODE, NODE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void baseChainAt90(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            node.ours(setup, family);
            node.theirChain(family, "90", "snat to THEIRS");
            expect(family, THEIRS, THEIRS);
            for (String verdict : new String[] {"accept", "return"}) {
                node.clear();
                node.theirChain(family, "90", verdict);
                node.ours(setup, family);
                expect(family, POD, NODE);
            }
        }
    }

    /** A table of both families is one more place for a base chain, in the same order of priorities. */
    @ParameterizedTest
    @EnumSource
    void baseChainOfBothFamilies(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            node.ours(setup, family);
        }
        node.nft(INET.formatted(110, "meta nfproto { ipv4, ipv6 } accept"));
        for (IpFamily family : IpFamily.values()) {
            expect(family, POD, NODE);
        }
        node.nft(INET.formatted(120, "masquerade"));
        for (IpFamily family : IpFamily.values()) {
            expect(family, NODE, NODE);
        }
    }

    /** As kube-proxy does it: a mark is what its rule needs, in its iptables as in its nftables mode. */
    @ParameterizedTest
    @EnumSource
    void markedForKubeProxy(Setup setup) {
        for (IpFamily family : IpFamily.values()) {
            String mark = "-A PREROUTING -d " + SharedNode.exempted(family) + " -j MARK --or-mark 0x4000";
            String[] kubeProxy = {
                ":KUBE-POSTROUTING - [0:0]",
                "-A POSTROUTING -j KUBE-POSTROUTING",
                "-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN",
                "-A KUBE-POSTROUTING -j MARK --xor-mark 0x4000",
                "-A KUBE-POSTROUTING -j MASQUERADE --random-fully"
            };
            node.theirs(setup, family, kubeProxy);
            node.ours(setup, family);
            expect(family, POD, NODE);
            node.theirs(setup, family, mark);
            expect(family, NODE, NODE);

            node.clear();
            node.ours(setup, family);
            node.theirs(setup, family, kubeProxy);
            node.theirs(setup, family, mark);
            expect(family, NODE, NODE);

            node.clear();
            node.ours(setup, family);
            node.theirChain(family, "100", "meta mark & 0x4000 == 0x4000 masquerade fully-random");
            expect(family, POD, NODE);
            node.theirs(setup, family, mark);
            expect(family, NODE, NODE);
        }
    }
}
