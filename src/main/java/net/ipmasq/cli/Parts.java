package net.ipmasq.cli;

import java.time.Clock;
import java.time.Instant;
import net.ipmasq.agent.Assembly;
import net.ipmasq.dataplane.SystemCommandRunner;
import net.ipmasq.dataplane.SystemNodeFiles;

/** The real node, for commands. */
public final class Parts {
    private Parts() {}

    /** This machine, with the programs on PATH. */
    public static Assembly.Node node() {
        String path = System.getenv("PATH");
        return new Assembly.Node(new SystemCommandRunner(path == null ? "" : path), new SystemNodeFiles());
    }

    /** When this process started, as the operating system has it. */
    public static Instant processStart() {
        return ProcessHandle.current()
                .info()
                .startInstant()
                .orElseGet(() -> Clock.systemUTC().instant());
    }
}
