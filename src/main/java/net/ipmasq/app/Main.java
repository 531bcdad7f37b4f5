package net.ipmasq.app;

import io.quarkus.runtime.annotations.QuarkusMain;
import net.ipmasq.cli.Cli;

/** Entry point. Only {@code run} without {@code --once} starts Quarkus, and only after its first pass. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new Cli(Service::run).execute(args));
    }
}
