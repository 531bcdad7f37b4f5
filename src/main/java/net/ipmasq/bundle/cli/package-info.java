/** The operator's program {@code ip-masq-fleet}, and the one command of it that the agent's image has too. */
@NullMarked
package net.ipmasq.bundle.cli;

import org.jspecify.annotations.NullMarked;
