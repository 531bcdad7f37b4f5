/** Text for people. */
@NullMarked
package net.ipmasq.text;

import org.jspecify.annotations.NullMarked;
