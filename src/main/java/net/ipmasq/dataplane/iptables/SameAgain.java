package net.ipmasq.dataplane.iptables;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.ipmasq.net.IpFamily;

/**
 * Spares the parser a text that it has just read. The kernel is still asked in every pass: only when it answers with the
 * same characters is the earlier reading of them taken. Comments of the tool, which hold the time, are left out.
 */
final class SameAgain {
    private final Map<Place, Reading> last = new ConcurrentHashMap<>();

    /** What a text was about. */
    private record Place(IpFamily family, Variant variant, String chain) {}

    private record Reading(String text, Parser.Result result) {}

    Parser.Result parse(String save, IpFamily family, Variant variant, String chain) {
        Place place = new Place(family, variant, chain);
        String text = withoutFrame(save);
        Reading reading = last.get(place);
        if (reading == null || !reading.text().equals(text)) {
            reading = new Reading(text, Parser.parse(save, family, chain));
            last.put(place, reading);
        }
        return reading.result();
    }

    /** The text from the first line that is no comment to the last COMMIT; all of it where there is no such frame. */
    private static String withoutFrame(String save) {
        int from = save.indexOf("*nat\n");
        int to = save.lastIndexOf("\nCOMMIT");
        return from < 0 || to < from || save.indexOf("\n#", from) < to && save.indexOf("\n#", from) >= 0
                ? save
                : save.substring(from, to);
    }
}
