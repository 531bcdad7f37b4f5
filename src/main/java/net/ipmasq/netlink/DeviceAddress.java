package net.ipmasq.netlink;

import java.net.InetAddress;

/**
 * An address of a device.
 *
 * @param device the device's number
 * @param own the address itself
 * @param subnet an address of the subnet it is in: itself, or the other end of a point-to-point link
 * @param prefix bits of the subnet
 * @param scope RT_SCOPE_*: 0 for the universe, 253 for the link, 254 for the host
 * @param flags IFA_F_*
 * @param label IPv4 only: the device's name, or that with a colon and more
 */
public record DeviceAddress(
        int device, InetAddress own, InetAddress subnet, int prefix, int scope, int flags, String label) {
    private static final int SECONDARY = 0x01;
    private static final int OPTIMISTIC = 0x04;
    private static final int HOME = 0x10;
    private static final int DEPRECATED = 0x20;
    private static final int TENTATIVE = 0x40;

    /** IPv4: not the first address of its subnet on this device. */
    public boolean isSecondary() {
        return has(SECONDARY);
    }

    /** IPv6: a temporary address (RFC 8981). */
    public boolean isTemporary() {
        return has(SECONDARY);
    }

    public boolean isDeprecated() {
        return has(DEPRECATED);
    }

    /** Duplicate address detection is not complete, but the address is in use already. */
    public boolean isOptimistic() {
        return has(OPTIMISTIC);
    }

    /** Duplicate address detection is not complete, or has failed, so that nothing can be sent from it. */
    public boolean isTentative() {
        return has(TENTATIVE) && !isOptimistic();
    }

    /** Of a mobile node (RFC 6275). */
    public boolean isHome() {
        return has(HOME);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
