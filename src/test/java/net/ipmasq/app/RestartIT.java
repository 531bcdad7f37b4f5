package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.PacketStream;
import net.ipmasq.net.IpAddress;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Restarts under traffic, with a source that does not answer: no packet leaves with the wrong address. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "conntrack", "mkfifo"})
class RestartIT {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void twentyRestartsUnderAPacketStreamAndNoWrongSource(String backend) throws IOException {
        try (PacketLab lab = PacketLab.create()) {
            Path config = dir.resolve("config");
            // the opposite of the profile's defaults: an agent that fell back to them would show at once
            Files.writeString(
                    config,
                    "nonMasqueradeCIDRs: [203.0.113.0/24, \"2001:db8:7::/48\"]\nmasqueradeCIDRs: [10.10.0.0/16, \"fd00:10::/32\"]\n");
            run(lab, backend, config, "configuration from").terminate();
            Files.delete(config);
            // a pipe in the place of the file: a source that never answers
            lab.node().run("mkfifo", config.toString());
            Map<IpAddress, PacketStream.Source> expected = Map.of(
                    IpAddress.of("203.0.113.9"), PacketStream.Source.POD,
                    IpAddress.of("2001:db8:7::9"), PacketStream.Source.POD,
                    IpAddress.of("10.10.1.1"), PacketStream.Source.NODE,
                    IpAddress.of("fd00:10::9"), PacketStream.Source.NODE);
            try (PacketStream stream = PacketStream.start(lab, expected, 200)) {
                Restarts.under(stream, backend, i -> {
                    try (AgentProcess agent = run(lab, backend, config, "configuration unknown")) {
                        assertThat(agent.awaitLine("rules in place")).contains("inForce=last-good");
                        if (i % 2 == 0) {
                            agent.terminate();
                        } else {
                            agent.kill();
                        }
                    }
                });
            }
        }
    }

    private AgentProcess run(PacketLab lab, String backend, Path config, String line) {
        AgentProcess agent = AgentProcess.start(
                lab.node(),
                Map.of(),
                "run",
                "--backend",
                backend,
                "--config",
                config.toString(),
                "--state-dir",
                dir.resolve("state").toString());
        agent.awaitLine(line);
        return agent;
    }
}
