package net.ipmasq.cli;

import java.time.Clock;
import java.time.Instant;
import net.ipmasq.agent.Assembly;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;

/** The real node, for commands. */
public final class Parts {
    private Parts() {}

    /** USER_HZ, fixed at 100 for user space on every Linux architecture that Java runs on. */
    private static final double TICKS_PER_SECOND = 100.0;

    /** This machine, with the programs on PATH. */
    public static Assembly.Node node() {
        String path = System.getenv("PATH");
        return new Assembly.Node(new SystemCommandRunner(path == null ? "" : path), new SystemNodeFiles());
    }

    /**
     * When this process started, to 10 ms. From the kernel's own clock ticks: what Java tells rests on the boot time in
     * whole seconds and can be off by one of them.
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
