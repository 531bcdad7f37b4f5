/** Reads JSON as a stream, into plain values. */
@NullMarked
package net.ipmasq.json;

import org.jspecify.annotations.NullMarked;
