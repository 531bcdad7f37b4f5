/** The port to the kernel: observe, apply, remove. It holds no policy and no timers. */
@NullMarked
package net.ipmasq.dataplane;

import org.jspecify.annotations.NullMarked;
