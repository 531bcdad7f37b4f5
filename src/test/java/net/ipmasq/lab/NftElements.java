package net.ipmasq.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/** Addresses as nft's JSON lists them: in a set, or at the right side of a match. */
record NftElements(List<Range> ranges) {
    /** Attributes of an element that do not change what it matches; a timeout, for example, does. */
    private static final Set<String> HARMLESS = Set.of("val", "counter", "comment");

    /** From {@code first} to {@code last}, both included. */
    record Range(IpAddress first, IpAddress last) {
        Range {
            if (first.family() != last.family() || first.compareTo(last) > 0) {
                throw new IllegalArgumentException("no range: " + first + " to " + last);
            }
        }

        boolean contains(IpAddress address) {
            return first.compareTo(address) <= 0 && address.compareTo(last) <= 0;
        }
    }

    boolean contains(IpAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    /** The elements of a set; a missing node is an empty set. */
    static NftElements all(JsonNode elements, IpFamily family) {
        List<Range> ranges = new ArrayList<>();
        elements.forEach(element -> ranges.add(range(element, family)));
        return new NftElements(List.copyOf(ranges));
    }

    /** A single address, prefix or range. */
    static NftElements one(JsonNode element, IpFamily family) {
        return new NftElements(List.of(range(element, family)));
    }

    private static Range range(JsonNode element, IpFamily family) {
        JsonNode inner = element.path("elem");
        if (inner.isObject()) {
            NftJson.only(inner, HARMLESS);
            return range(NftJson.need(inner, "val"), family);
        }
        if (element.isTextual()) {
            IpAddress address = address(element, family);
            return new Range(address, address);
        }
        NftJson.Named named = NftJson.named(element);
        JsonNode value = named.value();
        switch (named.name()) {
            case "prefix" -> {
                IpAddress network = address(NftJson.need(value, "addr"), family);
                Cidr cidr = new Cidr(network, NftJson.need(value, "len").intValue());
                return new Range(cidr.network(), last(cidr));
            }
            case "range" -> {
                return new Range(address(value.path(0), family), address(value.path(1), family));
            }
            default -> throw NftJson.notUnderstood(element);
        }
    }

    private static IpAddress address(JsonNode text, IpFamily family) {
        IpAddress address = IpAddress.of(text.asText());
        if (address.family() != family) {
            throw NftJson.notUnderstood(text);
        }
        return address;
    }

    private static IpAddress last(Cidr cidr) {
        byte[] bytes = cidr.network().toBytes();
        for (int bit = cidr.prefixLength(); bit < cidr.family().bits(); bit++) {
            bytes[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return IpAddress.ofBytes(bytes);
    }
}
