package net.ipmasq.net;

import java.util.Optional;

/** Reads a CIDR as a user writes it, and reports what is wrong with it and what to write instead. */
public final class CidrSyntax {
    private CidrSyntax() {}

    public sealed interface Parsed {}

    /** A valid prefix, canonical. */
    public record Good(Cidr cidr) implements Parsed {}

    /**
     * Not a valid prefix.
     *
     * @param code machine-readable, for example {@code cidr-host-bits}
     * @param message what is wrong
     * @param fix what to write instead
     */
    public record Bad(String code, String message, String fix) implements Parsed {}

    private static final String EXAMPLE = "write a CIDR such as 10.0.0.0/8 or fc00::/7";

    /** The prefix; empty for anything else, without the reason, which makes it cheaper than {@link #parse}. */
    public static Optional<Cidr> good(String text) {
        String trimmed = text.strip();
        int slash = trimmed.indexOf('/');
        // the longest has 49 characters: an IPv6 address that ends in an IPv4 one
        if (slash < 0 || trimmed.length() > 64) {
            return Optional.empty();
        }
        int length = IpAddress.decimal(trimmed.substring(slash + 1), 3);
        return IpAddress.parse(trimmed.substring(0, slash))
                .filter(address -> length >= 0 && length <= address.family().bits())
                .filter(address -> address.masked(length).equals(address))
                .map(address -> new Cidr(address, length));
    }

    /** Reads {@code text}, surrounding white space trimmed. */
    public static Parsed parse(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty()) {
            return new Bad("cidr-empty", "an empty string is not a CIDR", EXAMPLE + ", or remove the item");
        }
        int slash = trimmed.indexOf('/');
        String host = slash < 0 ? trimmed : trimmed.substring(0, slash);
        Optional<IpAddress> address = IpAddress.parse(host);
        if (address.isEmpty()) {
            return badAddress(trimmed, host);
        }
        if (slash < 0) {
            String fixed = address.get() + "/" + address.get().family().bits();
            return new Bad("cidr-no-prefix", Quoted.of(trimmed) + " has no prefix length", "write " + fixed);
        }
        return withPrefix(trimmed, address.get(), trimmed.substring(slash + 1));
    }

    private static Parsed withPrefix(String text, IpAddress address, String prefix) {
        int max = address.family().bits();
        int length = IpAddress.decimal(prefix, 3);
        if (length < 0 && prefix.matches("0+[0-9]{1,3}")) {
            String plain = prefix.replaceFirst("^0+(?=.)", "");
            return new Bad(
                    "cidr-leading-zero",
                    Quoted.of(text) + " has a leading zero in the prefix length",
                    fixNaming(address + "/" + plain));
        }
        if (length < 0 && IpAddress.parse(prefix).isPresent()) {
            return new Bad("cidr-netmask", Quoted.of(text) + " has a netmask", netmaskFix(address, prefix));
        }
        if (length < 0 && !prefix.matches("[0-9]+")) {
            return new Bad("cidr-prefix-invalid", Quoted.naming(text) + " has no valid prefix length", fixOfOdd(text));
        }
        if (length < 0 || length > max) {
            return new Bad(
                    "cidr-prefix-range",
                    "the prefix length of " + Quoted.of(text) + " is out of range for "
                            + address.family().label(),
                    "use a prefix length from 0 to " + max);
        }
        IpAddress network = address.masked(length);
        if (!network.equals(address)) {
            return new Bad(
                    "cidr-host-bits",
                    Quoted.of(text) + " has bits set after its prefix of " + length,
                    "write " + network + "/" + length + ", or " + address + "/" + max + " for the one address");
        }
        return new Good(new Cidr(network, length));
    }

    private static String fixOfOdd(String text) {
        return OddCharacter.in(text).map(OddCharacter::fix).orElse(EXAMPLE);
    }

    private static String netmaskFix(IpAddress address, String netmask) {
        IpAddress ones = IpAddress.of("255.255.255.255");
        for (int length = 0; length <= 32; length++) {
            if (ones.masked(length).toString().equals(netmask) && address.family() == IpFamily.IPV4) {
                return fixNaming(address + "/" + length);
            }
        }
        return "write the prefix length, for example 10.0.0.0/8";
    }

    private static Bad badAddress(String text, String host) {
        if (host.indexOf('%') >= 0) {
            return new Bad(
                    "cidr-zone",
                    Quoted.of(text) + " has a zone id",
                    fixNaming(host.substring(0, host.indexOf('%')) + text.substring(host.length())));
        }
        if (host.matches("[0-9]+(\\.[0-9]+){3}") && withoutLeadingZeros(host).isPresent()) {
            String plain = withoutLeadingZeros(host).get() + text.substring(host.length());
            return new Bad(
                    "cidr-leading-zero",
                    Quoted.of(text) + " has a leading zero, which some tools read as octal",
                    fixNaming(plain));
        }
        if (isMapped(host.toLowerCase(java.util.Locale.ROOT))) {
            return new Bad(
                    "cidr-ipv4-mapped", Quoted.of(text) + " is an IPv4-mapped IPv6 address", mappedFix(host, text));
        }
        if (host.indexOf(':') < 0
                && host.matches("(?i)[a-z0-9_*]([a-z0-9_.*-]*[a-z0-9_])?\\.?")
                && host.matches(".*[A-Za-z].*")) {
            return new Bad(
                    "cidr-dns-name",
                    Quoted.of(text) + " is a DNS name; names are not resolved here",
                    "write the CIDRs that the name stands for");
        }
        return new Bad("cidr-invalid", Quoted.naming(text) + " is not a CIDR", fixOfOdd(text));
    }

    /** Whether it is an IPv4-mapped address and otherwise valid. */
    private static boolean isMapped(String host) {
        return host.matches("[0:]*:ffff:([0-9.]+|[0-9a-f]{1,4}:[0-9a-f]{1,4})")
                && IpAddress.parse(host.replaceFirst(":ffff:", ":fffe:")).isPresent();
    }

    private static String mappedFix(String host, String text) {
        String v4 = host.substring(host.lastIndexOf(':') + 1);
        int length = text.equals(host) ? 128 : IpAddress.decimal(text.substring(host.length() + 1), 3);
        boolean readable = IpAddress.parse(v4).isPresent();
        return readable && length >= 96 && length <= 128
                ? fixNaming(v4 + "/" + (length - 96))
                : "write the IPv4 CIDR itself, for example " + (readable ? v4 + "/32" : "10.0.0.0/8");
    }

    private static Optional<String> withoutLeadingZeros(String host) {
        String plain = host.replaceAll("(?<![0-9])0+(?=[0-9])", "");
        return IpAddress.parse(plain).isPresent() && !plain.equals(host) ? Optional.of(plain) : Optional.empty();
    }

    /** The fix that names {@code candidate}, or what is still wrong with it: a fix must not lead to another error. */
    private static String fixNaming(String candidate) {
        return switch (parse(candidate)) {
            case Good good -> "write " + good.cidr();
            case Bad bad -> bad.fix();
        };
    }
}
