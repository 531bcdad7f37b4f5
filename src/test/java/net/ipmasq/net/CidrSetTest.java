package net.ipmasq.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import org.junit.jupiter.api.Test;

/** The algebra of sets of prefixes against membership of single addresses. */
class CidrSetTest {

    private static CidrSet set(String... cidrs) {
        return CidrSet.of(Stream.of(cidrs).map(Cidr::of).toList());
    }

    @Test
    void aWiderPrefixTakesTheNarrowerOnesIn() {
        assertThat(set("10.1.0.0/16", "10.0.0.0/8", "10.0.0.0/8", "9.0.0.0/8", "10.255.255.255/32"))
                .hasToString(set("9.0.0.0/8", "10.0.0.0/8").toString());
        assertThat(set("::/0", "fc00::/7").prefixes()).containsExactly(Cidr.of("::/0"));
    }

    @Test
    void neighboursStayApart() {
        assertThat(set("10.0.1.0/24", "10.0.0.0/24").prefixes())
                .containsExactly(Cidr.of("10.0.0.0/24"), Cidr.of("10.0.1.0/24"));
    }

    @Test
    void aHoleSplitsAPrefixIntoTheFewestParts() {
        assertThat(set("10.0.0.0/8").minus(Cidr.of("10.128.0.0/10")).prefixes())
                .containsExactly(Cidr.of("10.0.0.0/9"), Cidr.of("10.192.0.0/10"));
        assertThat(set("fd00::/8").minus(Cidr.of("fd00::/128")).prefixes()).hasSize(120);
        assertThat(set("fd00::/8")
                        .minus(Cidr.of("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"))
                        .prefixes())
                .hasSize(120)
                .startsWith(Cidr.of("fd00::/9"));
        assertThat(set("10.0.0.0/8").minus(Cidr.of("10.0.0.0/8")).isEmpty()).isTrue();
        assertThat(set("10.0.0.0/8").minus(Cidr.of("0.0.0.0/0")).isEmpty()).isTrue();
        assertThat(set("10.0.0.0/8").minus(Cidr.of("11.0.0.0/8"))).isEqualTo(set("10.0.0.0/8"));
    }

    @Test
    void onlyWhatIsInOrderAndDisjointIsASet() {
        for (List<Cidr> bad : List.of(
                List.of(Cidr.of("10.0.0.0/8"), Cidr.of("10.1.0.0/16")),
                List.of(Cidr.of("11.0.0.0/8"), Cidr.of("10.0.0.0/8")),
                List.of(Cidr.of("10.0.0.0/8"), Cidr.of("10.0.0.0/8")))) {
            assertThatThrownBy(() -> new CidrSet(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void unionHoldsWhatAnyPrefixHolds() {
        Property.tries(1000).forAll(CidrSetTest::cidrs, CidrSetTest::near, (cidrs, address) -> {
            assertThat(CidrSet.of(cidrs).contains(address))
                    .isEqualTo(cidrs.stream().anyMatch(cidr -> cidr.contains(address)));
        });
    }

    @Test
    void minusHoldsWhatOnlyTheFirstHolds() {
        Property.tries(1000).forAll(CidrSetTest::cidrs, CidrSetTest::cidrs, CidrSetTest::near, (one, two, address) -> {
            CidrSet first = CidrSet.of(one);
            CidrSet second = CidrSet.of(two);
            assertThat(first.minus(second).contains(address))
                    .isEqualTo(first.contains(address) && !second.contains(address));
        });
    }

    @Test
    void aSetIsItsOwnUnionAndLosesItselfWhole() {
        Property.tries(1000).forAll(CidrSetTest::cidrs, cidrs -> {
            CidrSet set = CidrSet.of(cidrs);
            assertThat(CidrSet.of(set.prefixes())).isEqualTo(set);
            assertThat(set.minus(set).isEmpty()).isTrue();
            assertThat(set.minus(new CidrSet(List.of()))).isEqualTo(set);
            assertThat(set.notIn(set)).isEmpty();
            assertThat(set.notIn(new CidrSet(List.of()))).isEqualTo(set.prefixes());
        });
    }

    /** Few bits differ, so that overlaps, neighbours and hits are the rule. */
    private static IpAddress near(Draws draws) {
        return IpAddress.of("10.0.0." + draws.between(0, 255));
    }

    private static List<Cidr> cidrs(Draws draws) {
        return draws.list(12, some -> {
            int length = some.between(22, 32);
            return new Cidr(near(some).masked(length), length);
        });
    }
}
