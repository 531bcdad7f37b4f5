/** Plain values as JSON or YAML text. */
@NullMarked
package net.ipmasq.text;

import org.jspecify.annotations.NullMarked;
