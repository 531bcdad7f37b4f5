package net.ipmasq.agent.masquerade;

import net.ipmasq.net.IpAddress;

/** The source address that a masqueraded packet gets. */
public sealed interface SourceAddress {

    /**
     * It is known.
     *
     * @param device name of the device that the packet leaves through
     */
    record Address(IpAddress address, String device) implements SourceAddress {}

    /**
     * Only the device is known.
     *
     * @param device its name, or several names where the kernel chooses for each connection
     */
    record OfDevice(String device, String why) implements SourceAddress {}

    /** Nothing is known, or the packet goes nowhere. */
    record NotKnown(String why) implements SourceAddress {}
}
