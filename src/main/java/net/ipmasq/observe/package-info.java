/** Health, metrics, status and logs, all derived from one status record. */
@NullMarked
package net.ipmasq.observe;

import org.jspecify.annotations.NullMarked;
