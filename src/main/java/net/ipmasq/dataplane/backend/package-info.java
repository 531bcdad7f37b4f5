/** Choosing among the backends, and moving from one to another. */
@NullMarked
package net.ipmasq.dataplane.backend;

import org.jspecify.annotations.NullMarked;
