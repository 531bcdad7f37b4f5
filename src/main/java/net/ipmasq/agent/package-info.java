/** One pass over the node, its timing, and where configuration comes from. */
@NullMarked
package net.ipmasq.agent;

import org.jspecify.annotations.NullMarked;
