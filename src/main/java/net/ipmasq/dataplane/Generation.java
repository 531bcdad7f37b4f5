package net.ipmasq.dataplane;

import java.util.OptionalLong;

/** A number of the kernel that moves whenever a rule of any table that it covers does. */
@FunctionalInterface
public interface Generation {

    /** The number now; two that are equal mean that nothing has changed between. Empty where it cannot be had. */
    OptionalLong current();
}
