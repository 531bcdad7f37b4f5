package net.ipmasq.app;

import java.time.Clock;
import java.time.Instant;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.cli.NodeAccess;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.dataplane.backend.Backends;

/**
 * Puts the agent's parts together from settings, with plain constructors: no framework has to be up for it. Tests put a
 * namespace in the place of this machine.
 */
public record Assembly(CommandRunner commands, NodeFiles files) implements NodeAccess {

    /** USER_HZ, fixed at 100 for user space on every Linux architecture that Java runs on. */
    private static final double TICKS_PER_SECOND = 100.0;

    /** This machine, with the programs on PATH. */
    public static Assembly ofThisMachine() {
        String path = System.getenv("PATH");
        return new Assembly(new SystemCommandRunner(path == null ? "" : path), new SystemNodeFiles());
    }

    @Override
    public Dataplane dataplane(Settings settings) {
        return Backends.of(settings.backend(), commands, files);
    }

    @Override
    public Reconciler reconciler(Settings settings, ConfigSource source, Clock clock) {
        return new Reconciler(
                dataplane(settings),
                source,
                Profiles.of(settings),
                new StateStore(settings.stateDir()),
                clock,
                processStart());
    }

    /**
     * When this process started, to 10 ms. From the kernel's own clock ticks: Java computes it from the boot time in whole
     * seconds and can be wrong by one second.
     */
    public static Instant processStart() {
        Instant now = Clock.systemUTC().instant();
        NodeFiles files = new SystemNodeFiles();
        try {
            String stat = files.read("/proc/self/stat").orElse("");
            // field 22 is the start in ticks since boot (proc(5)); the name in field 2 may hold spaces
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            double started = Long.parseLong(fields[19]) / TICKS_PER_SECOND;
            String uptime = files.read("/proc/uptime").orElse("").split(" ")[0];
            return now.minusMillis(Math.max(0, Math.round((Double.parseDouble(uptime) - started) * 1000)));
        } catch (RuntimeException e) {
            // no such files here: as near as Java knows
            return ProcessHandle.current().info().startInstant().orElse(now);
        }
    }
}
