package net.ipmasq.app;

import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.agent.kube.ClusterInputs;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.observe.LineLog;

/**
 * The running agent's plain parts, made before the framework is up and handed to it.
 *
 * @param clock what the loop's times are taken from
 */
public record AgentContext(
        Settings settings,
        Dataplane dataplane,
        AgentLoop loop,
        LineLog log,
        SteadyClock clock,
        Optional<ClusterInputs> cluster) {}
