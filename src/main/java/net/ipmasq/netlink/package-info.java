/** Netlink: nf_tables' generation and changes, routes, addresses and devices. Knows nothing of the rest of the agent. */
@NullMarked
package net.ipmasq.netlink;

import org.jspecify.annotations.NullMarked;
