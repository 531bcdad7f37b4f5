package net.ipmasq.netlink;

import java.net.InetAddress;

/**
 * One line of the kernel's policy table for IPv6 addresses (RFC 6724, section 2.1; {@code ip addrlabel}).
 *
 * @param device the only device it applies to; 0 for all
 */
public record AddressLabel(InetAddress prefix, int length, int device, long label) {}
