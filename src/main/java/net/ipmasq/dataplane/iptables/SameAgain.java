package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Line;

/**
 * Spares the parser lines of our chain that it has read before. The kernel is still asked in every pass: only where it
 * answers with the same characters is the earlier reading of a line taken. Of others nothing is remembered.
 */
final class SameAgain {
    private final Map<Place, List<Line>> last = new ConcurrentHashMap<>();

    /** What a text was about. */
    private record Place(IpFamily family, Variant variant, String chain) {}

    Parser.Result parse(Reader save, IpFamily family, Variant variant, String chain) throws IOException {
        Place place = new Place(family, variant, chain);
        Parser.Result result = Parser.parse(save, family, chain, last.getOrDefault(place, List.of()));
        if (result instanceof Parser.Understood understood) {
            last.put(place, understood.chain().lines());
        }
        return result;
    }
}
