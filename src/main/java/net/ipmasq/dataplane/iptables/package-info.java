/** The iptables backend: a pure renderer, a pure parser, and the part that runs the tools. */
@NullMarked
package net.ipmasq.dataplane.iptables;

import org.jspecify.annotations.NullMarked;
