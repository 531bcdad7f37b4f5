package net.ipmasq.app;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;

@QuarkusMain
public final class Main implements QuarkusApplication {
    public static void main(String[] args) {
        System.err.println("main "
                + (System.currentTimeMillis()
                        - java.lang.management.ManagementFactory.getRuntimeMXBean()
                                .getStartTime()));
        if (args.length > 0) {
            return;
        }
        Quarkus.run(Main.class, args);
    }

    @Override
    public int run(String... args) {
        Quarkus.waitForExit();
        return 0;
    }
}
