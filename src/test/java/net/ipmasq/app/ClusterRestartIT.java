package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.PacketStream;
import net.ipmasq.net.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts under traffic with the API as source and a profile in the cluster: no packet leaves with the wrong address. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "conntrack"})
@NeedsKube
class ClusterRestartIT {
    @TempDir
    Path dir;

    @Test
    void twentyRestartsUnderAPacketStreamAndNoWrongSource() throws IOException {
        try (PacketLab lab = PacketLab.create();
                KubeApi api = KubeApi.start(lab.node())) {
            api.applyYaml(Rights.YAML);
            // the opposite of the built-in defaults, half of it in each object: an agent that went without either would
            // show at once
            apply(api, "cce-ip-masq-agent", "config", "nonMasqueradeCIDRs: [203.0.113.0/24, \"2001:db8:7::/48\"]\n");
            apply(
                    api,
                    "cce-ip-masq-agent-profile",
                    "profile",
                    "name: fleet\ndefaults:\n  masqueradeCIDRs: [10.10.0.0/16, \"fd00:10::/32\"]\n");
            // older than what the API says, and wrong
            Files.writeString(dir.resolve("mounted"), "nonMasqueradeCIDRs: [10.10.0.0/16]\n");
            Path kubeconfig = api.serviceAccountKubeconfig("kube-system", "cce-ip-masq-agent");
            run(lab, kubeconfig, "kubernetes", "is in force").terminate();
            Map<IpAddress, PacketStream.Source> expected = Map.of(
                    IpAddress.of("203.0.113.9"), PacketStream.Source.POD,
                    IpAddress.of("2001:db8:7::9"), PacketStream.Source.POD,
                    IpAddress.of("10.10.1.1"), PacketStream.Source.NODE,
                    IpAddress.of("fd00:10::9"), PacketStream.Source.NODE);
            try (PacketStream stream = PacketStream.start(lab, expected, 200)) {
                Restarts.under(stream, "the API as source", i -> {
                    // each source meets both signals, before the API has answered and after
                    String source = i % 2 == 0 ? "kubernetes" : "auto";
                    try (AgentProcess agent =
                            run(lab, kubeconfig, source, i / 4 % 2 == 0 ? "is in force" : "configuration unknown")) {
                        assertThat(agent.awaitLine("rules in place")).contains("inForce=last-good");
                        if (i / 2 % 2 == 0) {
                            agent.terminate();
                        } else {
                            agent.kill();
                        }
                    }
                });
            }
        }
    }

    private static void apply(KubeApi api, String name, String key, String text) {
        api.applyYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name
                + ", namespace: kube-system}\ndata:\n  " + key + ": |\n" + text.indent(4));
    }

    private AgentProcess run(PacketLab lab, Path kubeconfig, String source, String line) {
        AgentProcess agent = AgentProcess.start(
                lab.node(),
                Map.of("KUBECONFIG", kubeconfig.toString(), "IP_MASQ_SOURCE", source),
                "run",
                "--config",
                dir.resolve("mounted").toString(),
                "--state-dir",
                dir.resolve("state").toString());
        agent.awaitLine(line);
        return agent;
    }
}
