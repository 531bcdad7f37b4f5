/** The policy as records that a backend renders and parses, and the difference between two of them. */
@NullMarked
package net.ipmasq.rules;

import org.jspecify.annotations.NullMarked;
