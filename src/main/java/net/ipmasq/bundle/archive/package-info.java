/** The add-on bundle as an artifact: built, judged, rendered and compared, without a cluster. */
@NullMarked
package net.ipmasq.bundle.archive;

import org.jspecify.annotations.NullMarked;
