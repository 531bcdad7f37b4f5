package net.ipmasq.agent;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;

/** Which families a pass manages, and why it does not manage the others. */
public final class Families {
    private final Set<IpFamily> managed = EnumSet.noneOf(IpFamily.class);
    private final Set<IpFamily> switchedOff = EnumSet.noneOf(IpFamily.class);
    private final Map<IpFamily, String> whyNot = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, Failure> failures = new EnumMap<>(IpFamily.class);
    private final boolean ipv6Auto;

    Families(Ipv6Mode mode, Probe probe) {
        ipv6Auto = mode == Ipv6Mode.AUTO;
        for (IpFamily family : IpFamily.values()) {
            Failure impossible = probe.impossible().get(family);
            boolean optional = family == IpFamily.IPV6 && ipv6Auto;
            if (family == IpFamily.IPV6 && mode == Ipv6Mode.OFF) {
                switchedOff.add(family);
                whyNot.put(family, "switched off by the profile or a flag");
            } else if (impossible == null) {
                managed.add(family);
            } else if (optional && isForGood(impossible)) {
                whyNot.put(family, impossible.message());
            } else {
                managed.add(family);
                failures.put(family, impossible);
            }
        }
    }

    /** For rules found in the kernel: the families that have some, and those for which that is unknown. */
    Families(Set<IpFamily> found, Probe probe, Observed kernel) {
        ipv6Auto = false;
        for (IpFamily family : IpFamily.values()) {
            if (found.contains(family)) {
                managed.add(family);
                Failure impossible = probe.impossible().get(family);
                if (impossible != null) {
                    failures.put(family, impossible);
                }
            } else if (kernel.families().get(family) instanceof FamilyState.Unreadable(Failure failure)
                    && !failure.code().isLasting()) {
                managed.add(family);
                failures.put(family, failure);
            } else {
                whyNot.put(family, "no usable configuration, and the kernel holds no rules of ours for it");
            }
        }
    }

    /** With IPv6 {@code auto}, a table that the kernel does not have means that the family is not enabled. */
    void judge(Observed kernel) {
        kernel.families().forEach((family, state) -> {
            if (state instanceof FamilyState.Unreadable(Failure failure)) {
                giveUp(family, failure);
            }
        });
    }

    /** The same for a failure to write: a legacy table is not read before it exists. Returns whether it is given up. */
    boolean giveUp(IpFamily family, Failure failure) {
        boolean impossible = isForGood(failure);
        if (family != IpFamily.IPV6 || !ipv6Auto || !impossible) {
            return false;
        }
        managed.remove(family);
        whyNot.put(family, failure.message());
        return true;
    }

    /** A tool that could not be started this time is no sign that the node lacks the family. */
    private static boolean isForGood(Failure failure) {
        return failure.code() == FailureCode.TABLE_MISSING || failure.code() == FailureCode.TOOL_MISSING;
    }

    Set<IpFamily> managed() {
        return managed;
    }

    /** Managed, and not known to be impossible. */
    Set<IpFamily> readable() {
        Set<IpFamily> readable = EnumSet.copyOf(managed);
        readable.removeAll(failures.keySet());
        return readable;
    }

    /** Families that the configuration turns off, so that rules of ours there have to go. */
    Set<IpFamily> switchedOff() {
        return switchedOff;
    }

    Map<IpFamily, Failure> failures() {
        return failures;
    }

    /** Why a family is not managed; empty if it is. */
    public String whyNot(IpFamily family) {
        return whyNot.getOrDefault(family, "");
    }
}
