/** Text for people and for other programs. */
@NullMarked
package net.ipmasq.text;

import org.jspecify.annotations.NullMarked;
