package net.ipmasq.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.netlink.RulesetEvent.Change;
import net.ipmasq.netlink.RulesetEvent.Missed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real kernel says of itself in a namespace of its own. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft"})
class RulesetNetlinkTest {
    private final NetNs ns = NetNs.create();
    private final RulesetGeneration generation = InNetNs.call(ns, RulesetGeneration::open);
    private final RulesetEvents events = InNetNs.call(ns, RulesetEvents::open);

    @BeforeEach
    void table() {
        ns.sh("""
                iptables-nft -w 5 -t nat -N OURS
                nft add table ip6 other; nft add set ip6 other s '{ type ipv6_addr; }'; nft add chain ip6 other c
                nft add rule ip6 other c counter
                """);
    }

    @AfterEach
    void close() {
        events.close();
        generation.close();
        ns.close();
    }

    /** All events until the one that has this generation. */
    private List<RulesetEvent> until(long last) throws IOException {
        List<RulesetEvent> all = new ArrayList<>();
        while (all.stream().noneMatch(event -> event instanceof Change change && change.generation() == last)) {
            List<RulesetEvent> next = events.next(Duration.ofSeconds(10));
            assertThat(next)
                    .as("events up to generation %d, after %s", last, all)
                    .isNotEmpty();
            all.addAll(next);
        }
        return all;
    }

    private long now() {
        return generation.current().orElseThrow();
    }

    @Test
    void everyWriteMovesTheGenerationAndIsTold() throws IOException {
        until(now());
        for (String write : List.of(
                "iptables-nft -w 5 -t nat -A OURS -j RETURN",
                "iptables-nft -w 5 -t nat -D OURS 1",
                "iptables-nft -w 5 -t nat -I OURS -j RETURN",
                "iptables-nft -w 5 -t nat -F OURS",
                "iptables-nft -w 5 -t nat -E OURS THEIRS",
                "iptables-nft -w 5 -t nat -X THEIRS",
                "nft add rule ip6 other c drop",
                "nft add element ip6 other s '{ fd00::1 }'",
                "nft delete element ip6 other s '{ fd00::1 }'",
                "nft flush chain ip6 other c",
                "nft add element ip6 other s '{ fd00::2 }'",
                "nft flush set ip6 other s",
                "nft add table ip foreign",
                "nft delete table ip foreign",
                "nft flush ruleset")) {
            long before = now();
            ns.sh(write);
            long after = now();
            assertThat(after).as(write).isGreaterThan(before);
            assertThat(until(after)).as(write).allSatisfy(event -> {
                Change change = (Change) event;
                assertThat(change.pid()).isPositive();
                assertThat(change.process()).isIn("nft", "iptables-nft", "xtables-nft-mul");
            });
        }
    }

    @Test
    void nothingElseMovesIt() throws IOException {
        long before = now();
        until(before);
        ns.sh("""
                iptables-nft-save -t nat; ip6tables-nft-save; nft list ruleset
                bash -c 'echo x > /dev/udp/127.0.0.1/9'; iptables-nft -w 5 -t nat -F OURS
                ip link add v0 type veth peer name v1; ip link set v0 up; ip link del v0
                nft list table ip nowhere 2>/dev/null || true
                iptables-nft -w 5 -t nat -D OURS -j ACCEPT 2>/dev/null || true
                """);
        NetNs other = NetNs.create();
        other.sh("iptables-nft -w 5 -t nat -N ELSEWHERE; nft flush ruleset");
        other.close();
        assertThat(now()).isEqualTo(before);
        assertThat(events.next(Duration.ZERO)).isEmpty();
    }

    @Test
    void placesAreNamedByFamilyTableAndChain() throws IOException {
        until(now());
        ns.sh("iptables-nft -w 5 -t nat -A OURS -j RETURN");
        assertThat(((Change) until(now()).getLast()).places())
                .containsExactly(new RulesetEvent.Place(RulesetEvent.Place.IP, "nat", "OURS"));
        ns.sh("nft add element ip6 other s '{ fd00::1 }'");
        assertThat(((Change) until(now()).getLast()).places())
                .containsExactly(new RulesetEvent.Place(RulesetEvent.Place.IP6, "other", ""));
        ns.sh("iptables-nft -w 5 -t nat -E OURS THEIRS");
        assertThat(((Change) until(now()).getLast()).places())
                .containsExactly(new RulesetEvent.Place(RulesetEvent.Place.IP, "nat", ""));
    }

    @Test
    void aTransactionOfThousandsOfRulesIsOneChange() throws IOException {
        until(now());
        ns.runWith(
                "*nat\n" + "-A OURS -d 10.1.2.3/32 -j RETURN\n".repeat(5000) + "COMMIT\n",
                "iptables-nft-restore",
                "--noflush",
                "-w",
                "5");
        List<RulesetEvent> all = until(now());
        assertThat(all).hasSize(1);
        assertThat(((Change) all.getFirst()).places())
                .containsExactly(new RulesetEvent.Place(RulesetEvent.Place.IP, "nat", "OURS"));
    }

    @Test
    void anOverflowIsTold() throws IOException {
        until(now());
        String rules =
                "*nat\n" + "-A OURS -d 10.1.2.3/32 -m comment --comment x -j RETURN\n".repeat(50_000) + "COMMIT\n";
        ns.runWith(rules, "iptables-nft-restore", "--noflush", "-w", "5");
        List<RulesetEvent> all = new ArrayList<>();
        List<RulesetEvent> next = events.next(Duration.ofSeconds(10));
        while (!next.isEmpty()) {
            all.addAll(next);
            next = events.next(Duration.ZERO);
        }
        assertThat(all).hasAtLeastOneElementOfType(Missed.class);
        long before = now();
        ns.sh("nft add table ip foreign");
        assertThat(now()).isGreaterThan(before);
        assertThat(until(now())).isNotEmpty();
    }

    /** Why everything is read once in a while: a table that goes with the process that owns it is not told of. */
    @Test
    void aTableThatGoesWithItsOwnerMovesNothing() throws IOException {
        until(now());
        long before = now();
        ns.runWith("add table ip owned { flags owner; }\n", "nft", "-i");
        assertThat(ns.run("nft", "list", "tables")).doesNotContain("owned");
        assertThat(now()).as("adding it, and nothing else").isEqualTo(before + 1);
        assertThat(until(now())).hasSize(1);
        assertThat(events.next(Duration.ZERO)).isEmpty();
    }

    @Test
    void aClosedOneSaysNothing() {
        generation.close();
        assertThat(generation.current()).isEmpty();
    }
}
