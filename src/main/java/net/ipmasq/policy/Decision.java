package net.ipmasq.policy;

import java.util.Locale;
import java.util.Optional;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.profile.Origin;

/**
 * What happens to packets for one destination, and why.
 *
 * @param cidr the entry that matched; empty when the rest decided, the address is local or the family is not managed
 * @param rule the configuration key that decides, {@code enforced}, {@code local} or {@code unmanaged}
 */
public record Decision(IpAddress address, Verdict verdict, Optional<Cidr> cidr, String rule, Origin origin) {

    /** Which source address a pod's packet leaves with. */
    public enum Verdict {
        /** The pod's. */
        KEEP,
        /** The node's. */
        MASQUERADE,
        /** The packet does not leave the node: no rule of ours sees it. */
        LOCAL;

        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
