package net.ipmasq.app;

import net.ipmasq.agent.Settings;

final class Service {
    private Service() {}

    static int run(Settings settings) {
        return settings.port();
    }
}
