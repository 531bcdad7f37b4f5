/** Reads JSON as a stream into plain values, and writes such values. */
@NullMarked
package net.ipmasq.json;

import org.jspecify.annotations.NullMarked;
