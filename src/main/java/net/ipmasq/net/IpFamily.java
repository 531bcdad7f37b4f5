package net.ipmasq.net;

/** An address family. Code loops over these values; there is no second copy of code for IPv6. */
public enum IpFamily {
    IPV4("ipv4", "IPv4", 32),
    IPV6("ipv6", "IPv6", 128);

    private final String key;
    private final String label;
    private final int bits;

    IpFamily(String key, String label, int bits) {
        this.key = key;
        this.label = label;
        this.bits = bits;
    }

    /** The name in JSON and in metrics: {@code ipv4} or {@code ipv6}. */
    public String key() {
        return key;
    }

    /** The name in messages: {@code IPv4} or {@code IPv6}. */
    public String label() {
        return label;
    }

    /** Address length in bits: 32 or 128. */
    public int bits() {
        return bits;
    }

    /** The link-local range of this family: 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291). */
    public Cidr linkLocal() {
        return switch (this) {
            case IPV4 -> LinkLocal.IPV4;
            case IPV6 -> LinkLocal.IPV6;
        };
    }

    /** Parsed once, since long lists ask for each entry; a class apart, since fields of an enum cannot use its constants. */
    private static final class LinkLocal {
        private static final Cidr IPV4 = Cidr.of("169.254.0.0/16");
        private static final Cidr IPV6 = Cidr.of("fe80::/10");
    }

    /** Every address of this family: 0.0.0.0/0 or ::/0. */
    public Cidr everything() {
        return new Cidr(new IpAddress(this, 0, 0), 0);
    }
}
