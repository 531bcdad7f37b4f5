/** The add-on bundle as an artifact: built, verified, rendered and compared, without a cluster. */
@NullMarked
package net.ipmasq.bundle.archive;

import org.jspecify.annotations.NullMarked;
