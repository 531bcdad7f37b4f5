package net.ipmasq.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An IP address as 128 bits, left-aligned: an IPv4 address fills the top 32 bits of {@code hi}. Left alignment makes
 * prefix comparison the same code for both families.
 *
 * @param family the address family
 * @param hi the first 64 bits
 * @param lo the last 64 bits; 0 for IPv4
 */
public record IpAddress(IpFamily family, long hi, long lo) implements Comparable<IpAddress> {

    public IpAddress {
        if (family == IpFamily.IPV4 && ((hi & 0xffff_ffffL) != 0 || lo != 0)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits");
        }
    }

    /**
     * Parses the usual text forms. No names, no zone ids, no leading zeros, no IPv4-mapped IPv6.
     *
     * @throws IllegalArgumentException if the text is not an address
     */
    public static IpAddress of(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException("not an IP address: " + text));
    }

    /** As {@link #of}, empty where that throws. */
    public static Optional<IpAddress> parse(String text) {
        return text.indexOf(':') >= 0 ? parseV6(text) : parseV4(text).map(bits -> v4(bits));
    }

    /** The address with these 4 or 16 bytes in network order. */
    public static IpAddress ofBytes(byte[] bytes) {
        long hi = 0;
        long lo = 0;
        for (int i = 0; i < bytes.length; i++) {
            long octet = bytes[i] & 0xffL;
            if (i < 8) {
                hi |= octet << (56 - 8 * i);
            } else {
                lo |= octet << (120 - 8 * i);
            }
        }
        return new IpAddress(bytes.length == 4 ? IpFamily.IPV4 : IpFamily.IPV6, hi, lo);
    }

    /** 4 or 16 bytes in network order. */
    public byte[] toBytes() {
        byte[] bytes = new byte[family.bits() / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i < 8 ? hi >>> (56 - 8 * i) : lo >>> (120 - 8 * i));
        }
        return bytes;
    }

    /** This address with all bits after the first {@code prefixLength} cleared. */
    public IpAddress masked(int prefixLength) {
        return new IpAddress(family, hi & highMask(prefixLength), lo & highMask(prefixLength - 64));
    }

    private static long highMask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= 64 ? -1L : -1L << (64 - bits);
    }

    private static IpAddress v4(long bits) {
        return new IpAddress(IpFamily.IPV4, bits << 32, 0);
    }

    private static Optional<Long> parseV4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        long bits = 0;
        for (String part : parts) {
            int octet = decimal(part, 3);
            if (octet < 0 || octet > 255) {
                return Optional.empty();
            }
            bits = bits << 8 | octet;
        }
        return Optional.of(bits);
    }

    /** A decimal without sign or leading zeros, or -1. */
    static int decimal(String text, int maxDigits) {
        if (text.isEmpty() || text.length() > maxDigits || text.length() > 1 && text.charAt(0) == '0') {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    private static Optional<IpAddress> parseV6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::") || text.contains(":::")) {
            return Optional.empty();
        }
        Optional<List<Integer>> head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        Optional<List<Integer>> tail = groups(gap < 0 ? "" : text.substring(gap + 2), true);
        if (head.isEmpty() || tail.isEmpty()) {
            return Optional.empty();
        }
        int given = head.get().size() + tail.get().size();
        if (gap < 0 ? given != 8 : given > 7) {
            return Optional.empty();
        }
        List<Integer> all = new ArrayList<>(head.get());
        while (all.size() < 8 - tail.get().size()) {
            all.add(0);
        }
        all.addAll(tail.get());
        IpAddress address = new IpAddress(IpFamily.IPV6, word(all, 0), word(all, 4));
        // ::ffff:a.b.c.d stands for an IPv4 address: the kernel never sees such a destination on IPv6
        boolean mapped = address.hi == 0 && address.lo >>> 32 == 0xffffL;
        return mapped ? Optional.empty() : Optional.of(address);
    }

    private static Optional<List<Integer>> groups(String text, boolean mayEndInV4) {
        List<Integer> groups = new ArrayList<>();
        if (text.isEmpty()) {
            return Optional.of(groups);
        }
        String[] parts = text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            if (mayEndInV4 && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
                Optional<Long> v4 = parseV4(parts[i]);
                if (v4.isEmpty()) {
                    return Optional.empty();
                }
                groups.add((int) (v4.get() >>> 16));
                groups.add((int) (v4.get() & 0xffff));
            } else {
                int group = hex(parts[i]);
                if (group < 0) {
                    return Optional.empty();
                }
                groups.add(group);
            }
        }
        return Optional.of(groups);
    }

    private static int hex(String text) {
        if (text.isEmpty() || text.length() > 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static long word(List<Integer> groups, int from) {
        long word = 0;
        for (int i = from; i < from + 4; i++) {
            word = word << 16 | groups.get(i);
        }
        return word;
    }

    @Override
    public int compareTo(IpAddress other) {
        int byFamily = family.compareTo(other.family);
        if (byFamily != 0) {
            return byFamily;
        }
        int byHigh = Long.compareUnsigned(hi, other.hi);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(lo, other.lo);
    }

    /** Canonical text: dotted decimal, or RFC 5952. */
    @Override
    public String toString() {
        return family == IpFamily.IPV4 ? dotted((int) (hi >>> 32)) : Rfc5952.format(hi, lo);
    }

    static String dotted(int bits) {
        return (bits >>> 24) + "." + (bits >>> 16 & 0xff) + "." + (bits >>> 8 & 0xff) + "." + (bits & 0xff);
    }
}
