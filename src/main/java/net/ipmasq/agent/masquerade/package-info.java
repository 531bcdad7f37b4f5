/** Which address MASQUERADE gives: the kernel's route for a pod's packet, and then the kernel's choice on the device. */
@NullMarked
package net.ipmasq.agent.masquerade;

import org.jspecify.annotations.NullMarked;
