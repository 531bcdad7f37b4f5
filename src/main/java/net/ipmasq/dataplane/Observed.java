package net.ipmasq.dataplane;

import java.util.Map;
import net.ipmasq.net.IpFamily;

/** What the kernel shows, by family asked for. */
public record Observed(Map<IpFamily, FamilyState> families) {
    public Observed {
        families = Map.copyOf(families);
    }
}
