package net.ipmasq.cli;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;

/**
 * The families that no rules are kept for on this node.
 *
 * @param why for each, for people
 */
record Unmanaged(Map<IpFamily, String> why) {
    Unmanaged {
        why = Map.copyOf(why);
    }

    /**
     * What holds for a configuration with this IPv6 mode: what the running agent reports, if it works with the same mode, else
     * what a pass would find.
     *
     * @param node why a pass would not manage a family; empty if it would
     */
    static Unmanaged of(Ipv6Mode mode, RunningAgent.Answer agent, Function<IpFamily, String> node) {
        Map<IpFamily, String> why = new EnumMap<>(IpFamily.class);
        for (IpFamily family : IpFamily.values()) {
            String reason = family == IpFamily.IPV6 && mode == Ipv6Mode.OFF
                    ? "switched off by the profile or a flag"
                    : byAgent(mode, agent, family).orElseGet(() -> node.apply(family));
            if (!reason.isEmpty()) {
                why.put(family, reason);
            }
        }
        return new Unmanaged(why);
    }

    /** What a pass would find, for the mode {@code mode}. */
    static Function<IpFamily, String> byNode(Ipv6Mode mode, Assessment assessment, NodeLimits limits) {
        return family -> {
            String why = assessment.inForce() instanceof DesiredState.Configured
                    ? assessment.families().whyNot(family)
                    : "";
            // a pass without rights gets no further than that; what the node has switched off, anybody may read
            return why.isEmpty() && family == IpFamily.IPV6 && mode == Ipv6Mode.AUTO
                    ? limits.ipv6Off().map(Failure::message).orElse("")
                    : why;
        };
    }

    /** What the agent reports for a family: why it is not managed, or an empty text if it is; empty if it reports nothing for this mode. */
    private static Optional<String> byAgent(Ipv6Mode mode, RunningAgent.Answer agent, IpFamily family) {
        if (agent instanceof RunningAgent.Answer.Status(Map<String, Object> status)
                && mode.key().equals(at(status, "config", "effective", "ipv6", "value"))
                && at(status, "families", family.key(), "managed") instanceof Boolean managed) {
            Object why = at(status, "families", family.key(), "why");
            return Optional.of(managed ? "" : why == null ? "the running agent keeps no rules for it" : why.toString());
        }
        return Optional.empty();
    }

    private static @org.jspecify.annotations.Nullable Object at(Object document, String... path) {
        Object value = document;
        for (String name : path) {
            value = value instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return value;
    }

    /** The other families. */
    Set<IpFamily> managed() {
        Set<IpFamily> managed = EnumSet.allOf(IpFamily.class);
        managed.removeAll(why.keySet());
        return managed;
    }
}
