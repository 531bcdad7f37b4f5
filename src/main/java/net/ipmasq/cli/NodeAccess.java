package net.ipmasq.cli;

import java.time.Clock;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.NodeFiles;

/** The node that commands work on. The program's main class puts it together. */
public interface NodeAccess {
    NodeFiles files();

    /** The backend of the settings. */
    Dataplane dataplane(Settings settings);

    /** A reconciler over that backend, for one command. */
    Reconciler reconciler(Settings settings, ConfigSource source, Clock clock);
}
