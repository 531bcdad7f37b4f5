/** What the provider decides, as data. */
@NullMarked
package net.ipmasq.profile;

import org.jspecify.annotations.NullMarked;
