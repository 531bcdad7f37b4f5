package net.ipmasq.net;

/** The canonical text of an IPv6 address (RFC 5952, section 4), as the kernel's tools print it. */
final class Rfc5952 {
    private Rfc5952() {}

    static String format(long hi, long lo) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (int) ((i < 4 ? hi : lo) >>> (48 - 16 * (i & 3))) & 0xffff;
        }
        // glibc's inet_ntop, and so iptables-save, writes ::a.b.c.d for IPv4-compatible addresses; groups mean the same
        int gapStart = longestZeroRun(groups);
        int gapLength = gapStart < 0 ? 0 : zeroRun(groups, gapStart);
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == gapStart) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }

    /** Start of the longest run of two or more zero groups, the first of equals; -1 if none. */
    private static int longestZeroRun(int[] groups) {
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = zeroRun(groups, i);
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
            i += Math.max(0, length - 1);
        }
        return best;
    }

    private static int zeroRun(int[] groups, int from) {
        int length = 0;
        while (from + length < 8 && groups[from + length] == 0) {
            length++;
        }
        return length;
    }
}
