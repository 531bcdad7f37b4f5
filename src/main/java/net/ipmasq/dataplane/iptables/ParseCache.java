package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;

/**
 * Avoids parsing the same text again. The kernel is still asked in every pass: only if it answers with the same characters
 * is the earlier result used, as a whole for a text of ordinary size, else line by line for our own chain. Of larger texts
 * nothing of others is remembered.
 */
final class ParseCache {
    /** Characters of a text that is kept, some 2,000 rules; there are a few such texts. */
    static final int MOST_KEPT = 256 * 1024;

    private final Map<Place, Reading> last = new ConcurrentHashMap<>();

    private record Place(IpFamily family, Variant variant, String chain) {}

    /**
     * @param text without its frame; empty for one that was too large to keep
     */
    private record Reading(String text, IptablesParser.Result result) {
        List<ObservedChain.Line> lines() {
            return result instanceof IptablesParser.Understood understood
                    ? understood.chain().lines()
                    : List.of();
        }
    }

    IptablesParser.Result parse(Reader save, IpFamily family, Variant variant, String chain) throws IOException {
        Place place = new Place(family, variant, chain);
        Reading before = last.getOrDefault(place, new Reading("", new IptablesParser.NotUnderstood("not yet read")));
        StringBuilder begin = new StringBuilder();
        boolean whole = beginning(save, begin);
        String text = whole ? withoutFrame(begin.toString()) : "";
        if (!text.isEmpty() && text.equals(before.text())) {
            return before.result();
        }
        IptablesParser.Result result = IptablesParser.parse(again(begin, whole, save), family, chain, before.lines());
        boolean understood = result instanceof IptablesParser.Understood;
        last.put(place, understood ? new Reading(text, result) : new Reading("", before.result()));
        return result;
    }

    /** Whether that was all. */
    private static boolean beginning(Reader save, StringBuilder begin) throws IOException {
        char[] some = new char[16 * 1024];
        int count = save.read(some);
        while (count >= 0 && begin.length() + count <= MOST_KEPT) {
            begin.append(some, 0, count);
            count = save.read(some);
        }
        begin.append(some, 0, Math.max(0, count));
        return count < 0;
    }

    private static Reader again(StringBuilder begin, boolean whole, Reader rest) throws IOException {
        if (whole) {
            return new StringReader(begin.toString());
        }
        PushbackReader all = new PushbackReader(rest, begin.length());
        char[] read = new char[begin.length()];
        begin.getChars(0, read.length, read, 0);
        all.unread(read);
        return all;
    }

    /** The text from the first line that is no comment to the last COMMIT, since comments have the time; else all. */
    private static String withoutFrame(String save) {
        int from = save.indexOf("*nat\n");
        int to = save.lastIndexOf("\nCOMMIT");
        return from < 0 || to < from || save.indexOf("\n#", from) < to && save.indexOf("\n#", from) >= 0
                ? save
                : save.substring(from, to);
    }
}
