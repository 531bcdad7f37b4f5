/** The backend that keeps its rules in nft tables of its own, with prefixes in sets. */
@NullMarked
package net.ipmasq.dataplane.nftables;

import org.jspecify.annotations.NullMarked;
