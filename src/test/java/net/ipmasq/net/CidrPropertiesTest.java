package net.ipmasq.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The algebra of prefixes against plain arithmetic on intervals. */
class CidrPropertiesTest {

    @Property
    void containsIsArithmetic(@ForAll("cidrs") Cidr a, @ForAll("cidrs") Cidr b) {
        boolean inside =
                a.family() == b.family() && first(a).compareTo(first(b)) <= 0 && last(b).compareTo(last(a)) <= 0;
        assertThat(a.contains(b)).isEqualTo(inside);
    }

    @Property
    void overlapsIsArithmetic(@ForAll("cidrs") Cidr a, @ForAll("cidrs") Cidr b) {
        boolean meet = a.family() == b.family() && first(a).compareTo(last(b)) <= 0 && first(b).compareTo(last(a)) <= 0;
        assertThat(a.overlaps(b)).isEqualTo(meet).isEqualTo(b.overlaps(a));
    }

    @Property
    void containsAddressIsArithmetic(@ForAll("cidrs") Cidr cidr, @ForAll("addresses") IpAddress address) {
        BigInteger value = new BigInteger(1, address.toBytes());
        boolean inside = cidr.family() == address.family()
                && first(cidr).compareTo(value) <= 0
                && value.compareTo(last(cidr)) <= 0;
        assertThat(cidr.contains(address)).isEqualTo(inside);
    }

    @Property
    void everyPrefixContainsItselfAndWhatIsNarrower(@ForAll("addresses") IpAddress address) {
        for (int length = 1; length <= address.family().bits(); length++) {
            Cidr narrow = new Cidr(address.masked(length), length);
            assertThat(new Cidr(address.masked(length - 1), length - 1).contains(narrow))
                    .isTrue();
            assertThat(narrow.contains(narrow)).isTrue();
            assertThat(narrow.contains(address)).isTrue();
        }
    }

    @Property
    void textRoundTrip(@ForAll("cidrs") Cidr cidr) {
        assertThat(Cidr.of(cidr.toString())).isEqualTo(cidr);
        assertThat(Cidr.of(cidr.toString().toUpperCase(java.util.Locale.ROOT))).isEqualTo(cidr);
    }

    @Property
    void bytesRoundTrip(@ForAll("addresses") IpAddress address) {
        assertThat(IpAddress.ofBytes(address.toBytes())).isEqualTo(address);
    }

    @Property
    void orderIsThatOfUnsignedNumbers(@ForAll("addresses") IpAddress a, @ForAll("addresses") IpAddress b) {
        int byValue = new BigInteger(1, a.toBytes()).compareTo(new BigInteger(1, b.toBytes()));
        int expected = a.family() == b.family() ? byValue : a.family().compareTo(b.family());
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(Integer.signum(expected));
    }

    @Property
    void anyTextIsGoodOrExplained(@ForAll("texts") String text) {
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
    }

    private static BigInteger first(Cidr cidr) {
        return new BigInteger(1, cidr.network().toBytes());
    }

    private static BigInteger last(Cidr cidr) {
        BigInteger size = BigInteger.ONE.shiftLeft(cidr.family().bits() - cidr.prefixLength());
        return first(cidr).add(size).subtract(BigInteger.ONE);
    }

    /** Few distinct bits, so that pairs do meet; IPv4-mapped addresses are no addresses here. */
    @Provide
    Arbitrary<IpAddress> addresses() {
        Arbitrary<Long> words = Arbitraries.oneOf(
                Arbitraries.longs(), Arbitraries.of(0L, -1L, 1L, Long.MIN_VALUE, 0x0a00_0000_0000_0000L));
        Arbitrary<IpAddress> v4 = words.map(word -> new IpAddress(IpFamily.IPV4, word & 0xffff_ffff_0000_0000L, 0));
        Arbitrary<IpAddress> v6 = Combinators.combine(words, words)
                .as((hi, lo) -> new IpAddress(IpFamily.IPV6, hi, lo))
                .filter(address -> address.hi() != 0 || address.lo() >>> 32 != 0xffffL);
        return Arbitraries.oneOf(v4, v6);
    }

    @Provide
    Arbitrary<Cidr> cidrs() {
        return Combinators.combine(addresses(), Arbitraries.integers().between(0, 128))
                .as((address, length) -> {
                    int fits = Math.min(length, address.family().bits());
                    return new Cidr(address.masked(fits), fits);
                })
                .filter(cidr -> IpAddress.parse(cidr.network().toString()).isPresent());
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> near =
                Arbitraries.strings().withChars("0123456789abcdefx.:/%- ").ofMaxLength(30);
        return Arbitraries.oneOf(near, Arbitraries.strings(), cidrs().map(Cidr::toString));
    }
}
