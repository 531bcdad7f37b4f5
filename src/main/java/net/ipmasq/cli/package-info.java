/** One class per command. */
@NullMarked
package net.ipmasq.cli;

import org.jspecify.annotations.NullMarked;
