/** Strict network values: address families, prefixes, port ranges and Go durations. They know no framework and do no I/O. */
@NullMarked
package net.ipmasq.net;

import org.jspecify.annotations.NullMarked;
