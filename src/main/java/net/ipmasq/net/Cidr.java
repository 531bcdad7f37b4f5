package net.ipmasq.net;

/**
 * A network prefix with no host bits set, for example {@code 10.0.0.0/8} or {@code fc00::/7}.
 *
 * @param network the first address
 * @param prefixLength 0 to 32 or 128
 */
public record Cidr(IpAddress network, int prefixLength) {

    public Cidr {
        if (prefixLength < 0 || prefixLength > network.family().bits()) {
            throw new IllegalArgumentException("prefix length out of range: " + prefixLength);
        }
        if (!network.masked(prefixLength).equals(network)) {
            throw new IllegalArgumentException("host bits set: " + network + "/" + prefixLength);
        }
    }

    /**
     * Parses strictly.
     *
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    public static Cidr of(String text) {
        return switch (CidrSyntax.parse(text)) {
            case CidrSyntax.Good good -> good.cidr();
            case CidrSyntax.Bad bad -> throw new IllegalArgumentException(bad.message());
        };
    }

    public IpFamily family() {
        return network.family();
    }

    public boolean contains(IpAddress address) {
        return address.family() == family() && address.masked(prefixLength).equals(network);
    }

    /** Whether every address of {@code other} is in this prefix. */
    public boolean contains(Cidr other) {
        return other.prefixLength >= prefixLength && contains(other.network);
    }

    /** Two prefixes overlap exactly when one contains the other. */
    public boolean overlaps(Cidr other) {
        return contains(other) || other.contains(this);
    }

    @Override
    public String toString() {
        return network + "/" + prefixLength;
    }
}
