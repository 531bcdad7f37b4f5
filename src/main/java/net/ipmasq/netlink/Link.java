package net.ipmasq.netlink;

/**
 * A network device.
 *
 * @param index its number in this namespace
 * @param domain the number of the VRF that it belongs to or is; 0 for none
 */
public record Link(int index, String name, int domain) {}
