package net.ipmasq.app;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/**
 * The settings as Quarkus knows them, so that it documents and accepts their names. The values in use are those of
 * {@link net.ipmasq.agent.Settings}, which are read before Quarkus is up, from the same places.
 */
@StaticInitSafe
@ConfigMapping(prefix = "ip-masq")
public interface AgentSettings {
    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_CONFIG)
    String config();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_PROFILE)
    String profile();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_STATE_DIR)
    String stateDir();

    @WithDefault("iptables")
    String backend();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_HOST)
    String host();

    @WithDefault("19180")
    int port();

    @WithDefault("text")
    String logFormat();

    @WithDefault("250ms")
    String patience();

    @WithDefault("auto")
    String source();

    Optional<String> nodeName();

    @WithDefault("10m")
    String fullReadInterval();

    Optional<String> masqChain();

    Optional<String> toPorts();

    Optional<String> nomasqAllReservedRanges();

    Optional<String> enableIpv6();

    Optional<String> randomFully();

    Optional<String> resyncInterval();

    Optional<String> cidrLimit();

    Optional<String> ipv6();
}
