package net.ipmasq.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import org.junit.jupiter.api.Test;

/** The algebra of prefixes against plain arithmetic on intervals. */
class CidrPropertiesTest {

    @Test
    void containsIsArithmetic() {
        Property.tries(1000).forAll(CidrPropertiesTest::cidr, CidrPropertiesTest::cidr, (a, b) -> {
            boolean inside =
                    a.family() == b.family() && first(a).compareTo(first(b)) <= 0 && last(b).compareTo(last(a)) <= 0;
            assertThat(a.contains(b)).isEqualTo(inside);
        });
    }

    @Test
    void overlapsIsArithmetic() {
        Property.tries(1000).forAll(CidrPropertiesTest::cidr, CidrPropertiesTest::cidr, (a, b) -> {
            boolean meet =
                    a.family() == b.family() && first(a).compareTo(last(b)) <= 0 && first(b).compareTo(last(a)) <= 0;
            assertThat(a.overlaps(b)).isEqualTo(meet).isEqualTo(b.overlaps(a));
        });
    }

    @Test
    void containsAddressIsArithmetic() {
        Property.tries(1000).forAll(CidrPropertiesTest::cidr, CidrPropertiesTest::address, (cidr, address) -> {
            BigInteger value = new BigInteger(1, address.toBytes());
            boolean inside = cidr.family() == address.family()
                    && first(cidr).compareTo(value) <= 0
                    && value.compareTo(last(cidr)) <= 0;
            assertThat(cidr.contains(address)).isEqualTo(inside);
        });
    }

    @Test
    void everyPrefixContainsItselfAndWhatIsNarrower() {
        Property.tries(1000).forAll(CidrPropertiesTest::address, address -> {
            for (int length = 1; length <= address.family().bits(); length++) {
                Cidr narrow = new Cidr(address.masked(length), length);
                assertThat(new Cidr(address.masked(length - 1), length - 1).contains(narrow))
                        .isTrue();
                assertThat(narrow.contains(narrow)).isTrue();
                assertThat(narrow.contains(address)).isTrue();
            }
        });
    }

    @Test
    void textRoundTrip() {
        Property.tries(1000).forAll(CidrPropertiesTest::cidr, cidr -> {
            assertThat(Cidr.of(cidr.toString())).isEqualTo(cidr);
            assertThat(Cidr.of(cidr.toString().toUpperCase(java.util.Locale.ROOT)))
                    .isEqualTo(cidr);
        });
    }

    @Test
    void bytesRoundTrip() {
        Property.tries(1000).forAll(CidrPropertiesTest::address, address -> {
            assertThat(IpAddress.ofBytes(address.toBytes())).isEqualTo(address);
        });
    }

    @Test
    void orderIsThatOfUnsignedNumbers() {
        Property.tries(1000).forAll(CidrPropertiesTest::address, CidrPropertiesTest::address, (a, b) -> {
            int byValue = new BigInteger(1, a.toBytes()).compareTo(new BigInteger(1, b.toBytes()));
            int expected = a.family() == b.family() ? byValue : a.family().compareTo(b.family());
            assertThat(Integer.signum(a.compareTo(b))).isEqualTo(Integer.signum(expected));
        });
    }

    @Test
    void anyTextIsGoodOrExplained() {
        Property.tries(1000).forAll(CidrPropertiesTest::text, text -> {
            switch (CidrSyntax.parse(text)) {
                case CidrSyntax.Good good ->
                    assertThat(Cidr.of(good.cidr().toString())).isEqualTo(good.cidr());
                case CidrSyntax.Bad bad -> {
                    assertThat(bad.code()).matches("cidr-[a-z0-9-]+");
                    assertThat(bad.message()).isNotBlank().hasSizeLessThan(1000);
                    assertThat(bad.message().chars()).noneMatch(Character::isISOControl);
                    assertThat(bad.fix()).isNotBlank();
                }
            }
        });
    }

    private static BigInteger first(Cidr cidr) {
        return new BigInteger(1, cidr.network().toBytes());
    }

    private static BigInteger last(Cidr cidr) {
        BigInteger size = BigInteger.ONE.shiftLeft(cidr.family().bits() - cidr.prefixLength());
        return first(cidr).add(size).subtract(BigInteger.ONE);
    }

    /** Few distinct bits, so that pairs do meet; IPv4-mapped addresses are no addresses here. */
    private static IpAddress address(Draws draws) {
        if (draws.yes()) {
            return new IpAddress(IpFamily.IPV4, word(draws) & 0xffff_ffff_0000_0000L, 0);
        }
        return draws.fitting(
                some -> new IpAddress(IpFamily.IPV6, word(some), word(some)),
                address -> address.hi() != 0 || address.lo() >>> 32 != 0xffffL);
    }

    private static long word(Draws draws) {
        return draws.yes() ? draws.anyLong() : draws.of(0L, -1L, 1L, Long.MIN_VALUE, 0x0a00_0000_0000_0000L);
    }

    private static Cidr cidr(Draws draws) {
        return draws.fitting(
                some -> {
                    IpAddress address = address(some);
                    int length = some.between(0, address.family().bits());
                    return new Cidr(address.masked(length), length);
                },
                cidr -> IpAddress.parse(cidr.network().toString()).isPresent());
    }

    private static String text(Draws draws) {
        return switch (draws.between(0, 2)) {
            case 0 -> draws.text("0123456789abcdefx.:/%- ", 30);
            case 1 -> cidr(draws).toString();
            default -> draws.text(255);
        };
    }
}
