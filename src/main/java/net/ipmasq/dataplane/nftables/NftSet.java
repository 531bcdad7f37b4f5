package net.ipmasq.dataplane.nftables;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.json.Json;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Counters;
import org.jspecify.annotations.Nullable;

/**
 * One set of the tool's listing.
 *
 * @param asOurs whether it is of the kind that we make
 */
record NftSet(String name, boolean asOurs, List<Entry> entries) {
    private static final Set<String> HEAD =
            Set.of("family", "name", "table", "type", "handle", "flags", "elem", "stmt");

    /**
     * One element.
     *
     * @param cidr empty if it is no prefix, or has more to it, such as a time-out
     * @param text for people; empty if there is a prefix
     */
    record Entry(Optional<Cidr> cidr, String text, Counters counters) {}

    /** Stands for each element that is only counted, beyond what any configuration can ask for. */
    static final Entry COUNTED = new Entry(Optional.empty(), "one of more elements than can be shown", Counters.ZERO);

    /**
     * @param set without its elements
     */
    static NftSet of(Map<String, @Nullable Object> set, List<Entry> entries, IpFamily family) {
        boolean asOurs = HEAD.containsAll(set.keySet())
                && NftNames.addressType(family).equals(set.get("type"))
                && Json.isOnly(set.get("flags"), "interval")
                && Json.list(set.get("stmt")).size() == 1
                && Json.map(Json.list(set.get("stmt")).getFirst()).containsKey("counter");
        return new NftSet(Json.text(set.get("name")), asOurs, entries);
    }

    static Entry entry(@Nullable Object element, IpFamily family) {
        Map<String, @Nullable Object> whole = Json.map(Json.map(element).get("elem"));
        Object value = whole.isEmpty() ? element : whole.get("val");
        boolean plain = whole.isEmpty() || Set.of("val", "counter").containsAll(whole.keySet());
        Optional<Cidr> cidr = plain ? NftRule.cidr(value, family) : Optional.empty();
        return new Entry(
                cidr,
                cidr.isPresent() ? "" : shortened(String.valueOf(element)),
                NftRule.counters(Json.map(whole.get("counter"))));
    }

    private static String shortened(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }
}
