package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.Shared;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server comes late, goes, forgets and comes back: rules never wait for it and never go backwards. */
@PackagedAgent
@NeedsKernel
@NeedsKube
class ClusterOutageIT {
    /** In the profile's defaults and in no configuration here. */
    private static final String PROFILE = "100.64.230.0/24";

    @Shared
    private static ClusterRig rig;

    @TempDir
    Path dir;

    @BeforeEach
    void reset() {
        rig.reset();
    }

    @Test
    void startedBeforeTheServerItBeginsWithTheProfile() {
        rig.configure("10.1.0.0/16");
        Path kubeconfig = rig.kubeconfig();
        rig.stopApi();
        try (AgentProcess agent = rig.start(dir, "kubernetes", kubeconfig)) {
            assertThat(agent.awaitLine("rules in place")).contains("inForce=profile");
            assertThat(rig.keeps(PROFILE)).isTrue();
            agent.awaitLine("code=ApiUnreachable");
            rig.startApi();
            rig.await("10.1.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
        }
    }

    @Test
    void startedBeforeTheServerItBeginsWithTheMountedFileUnderAuto() throws IOException {
        rig.configure("10.1.0.0/16");
        Files.writeString(dir.resolve("mounted"), ClusterRig.text("10.7.0.0/16"));
        Path kubeconfig = rig.kubeconfig();
        rig.stopApi();
        try (AgentProcess agent = rig.start(dir, "auto", kubeconfig)) {
            agent.awaitLine("rules in place");
            assertThat(rig.keeps("10.7.0.0/16")).isTrue();
            agent.awaitLine("code=ApiUnreachable");
            rig.startApi();
            rig.await("10.1.0.0/16");
            assertThat(rig.keeps("10.7.0.0/16")).isFalse();
        }
    }

    @Test
    void withoutAConfigMapTheProfileIsInForceUntilOneAppears() {
        try (AgentProcess agent = rig.start(dir, "kubernetes", rig.kubeconfig())) {
            agent.awaitLine("does not exist: profile in use");
            rig.await(PROFILE);
            rig.configure("10.1.0.0/16");
            rig.await("10.1.0.0/16");
            assertThat(rig.keeps(PROFILE)).isFalse();
        }
    }

    @Test
    void withoutTheServerThreePassesHealAndAnEditRightAfterLands() {
        rig.configure("10.1.0.0/16");
        try (AgentProcess agent = rig.start(dir, "kubernetes", rig.kubeconfig())) {
            agent.awaitLine("is in force");
            rig.stopApi();
            // a pass each, on an interval of one second
            rig.flushAndAwaitHealing(3, "10.1.0.0/16");
            agent.awaitLine("code=ApiUnreachable");
            rig.startApi();
            rig.configure("10.2.0.0/16");
            rig.await("10.2.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
        }
    }

    @Test
    void whatHappenedInForgottenHistoryLandsAfterAnExpiredWatch() {
        rig.configure("10.1.0.0/16");
        try (AgentProcess agent = rig.start(dir, "kubernetes", rig.kubeconfig())) {
            agent.awaitLine("is in force");
            rig.await("10.1.0.0/16");
            long first = lists();
            whileItIsFrozenAndForgotten(agent, () -> rig.configure("10.2.0.0/16"));
            rig.await("10.2.0.0/16");
            long second = lists();
            whileItIsFrozenAndForgotten(agent, () -> rig.kubectl("delete", "configmap", ClusterRig.NAME));
            rig.await(PROFILE);
            System.out.println("watch expired twice; lists: " + first + ", " + second + ", " + lists());
            // what a client does after 410, and not when a watch just broke
            assertThat(second).isGreaterThan(first);
            assertThat(lists()).isGreaterThan(second);
            rig.configure("10.3.0.0/16");
            rig.await("10.3.0.0/16");
        }
    }

    /** When the agent goes on, its watch is broken and the version it knows is older than all that the server knows. */
    private static void whileItIsFrozenAndForgotten(AgentProcess agent, Runnable edit) {
        signal(agent, "STOP");
        rig.stopApi();
        rig.startApi();
        edit.run();
        rig.stopApi();
        rig.api.compact();
        rig.startApi();
        signal(agent, "CONT");
    }

    private static void signal(AgentProcess agent, String name) {
        rig.ns.run("kill", "-" + name, Long.toString(agent.pid()));
    }

    @Test
    void anOlderMountedFileNeverTakesTheRulesBack() throws IOException {
        rig.configure("10.1.0.0/16");
        Path kubeconfig = rig.kubeconfig();
        try (AgentProcess agent = rig.start(dir, "auto", kubeconfig)) {
            agent.awaitLine("is in force");
            rig.await("10.1.0.0/16");
            agent.terminate();
        }
        Path mounted = Files.writeString(dir.resolve("mounted"), ClusterRig.text("10.7.0.0/16"));
        Files.setLastModifiedTime(mounted, FileTime.from(Instant.now().minus(Duration.ofMinutes(10))));
        rig.configure("10.2.0.0/16");
        rig.stopApi();
        try (AgentProcess agent = rig.start(dir, "auto", kubeconfig)) {
            assertThat(agent.awaitLine("rules in place")).contains("inForce=last-good");
            agent.awaitLine("may be older than what was in force before");
            rig.flushAndAwaitHealing(2, "10.1.0.0/16");
            assertThat(rig.keeps("10.7.0.0/16")).isFalse();
            rig.startApi();
            rig.await("10.2.0.0/16");
            assertThat(rig.keeps("10.7.0.0/16")).isFalse();
        }
    }

    /** How often the agent has listed its ConfigMap. */
    private static long lists() {
        return rig.api.requests().stream()
                .filter(request -> request.user().endsWith(":" + ClusterRig.NAME))
                .filter(request ->
                        request.verb().equals("list") && request.name().equals(ClusterRig.NAME))
                .count();
    }
}
