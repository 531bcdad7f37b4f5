package net.ipmasq.cli;

import java.util.Optional;
import net.ipmasq.agent.Settings;

/** Where an agent can be reached from its own node; apart from who asks, so that {@link QuickStatus} loads nothing else. */
record AgentAddress(String host, int port) {

    static AgentAddress of(Settings settings) {
        return of(settings.host(), settings.port());
    }

    /** By the two settings alone, whatever the others are; empty if there is anything to say about these two. */
    static Optional<AgentAddress> of(SettingsLookup settings) {
        String host = settings.apply("host").orElse(Settings.DEFAULT_HOST);
        String port = settings.apply("port").orElse(Integer.toString(Settings.DEFAULT_PORT));
        return host.isBlank() || !port.matches("[1-9][0-9]{0,4}")
                ? Optional.empty()
                : Optional.of(of(host, Integer.parseInt(port)));
    }

    private static AgentAddress of(String host, int port) {
        boolean any = host.equals("0.0.0.0") || host.equals("::");
        return new AgentAddress(any ? "127.0.0.1" : host, port);
    }

    /** As a URL has it. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
