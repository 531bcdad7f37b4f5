/** The process: entry point, settings and the only CDI producers. */
@NullMarked
package net.ipmasq.app;

import org.jspecify.annotations.NullMarked;
