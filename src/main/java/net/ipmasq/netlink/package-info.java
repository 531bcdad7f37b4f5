/** The kernel's nf_tables over netlink: its generation, and word of every change. Knows nothing of the rest of the agent. */
@NullMarked
package net.ipmasq.netlink;

import org.jspecify.annotations.NullMarked;
