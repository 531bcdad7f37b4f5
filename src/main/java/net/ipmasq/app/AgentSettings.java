package net.ipmasq.app;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/**
 * The settings as Quarkus knows them, so that it documents and accepts their names. The values in use are those of
 * {@link net.ipmasq.agent.Settings}, which are read before Quarkus is up, from the same places, and judged there: all are
 * optional texts here, since Quarkus would not start with one that is empty.
 */
@StaticInitSafe
@ConfigMapping(prefix = "ip-masq")
public interface AgentSettings {
    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_CONFIG)
    Optional<String> config();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_PROFILE)
    Optional<String> profile();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_STATE_DIR)
    Optional<String> stateDir();

    @WithDefault("iptables")
    Optional<String> backend();

    @WithDefault(net.ipmasq.agent.Settings.DEFAULT_HOST)
    Optional<String> host();

    @WithDefault("19180")
    Optional<String> port();

    @WithDefault("text")
    Optional<String> logFormat();

    @WithDefault("250ms")
    Optional<String> patience();

    @WithDefault("auto")
    Optional<String> source();

    Optional<String> nodeName();

    @WithDefault("10m")
    Optional<String> fullReadInterval();

    Optional<String> masqChain();

    Optional<String> toPorts();

    Optional<String> nomasqAllReservedRanges();

    Optional<String> enableIpv6();

    Optional<String> randomFully();

    Optional<String> resyncInterval();

    Optional<String> cidrLimit();

    Optional<String> ipv6();
}
