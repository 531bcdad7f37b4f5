package net.ipmasq.app;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.Slow;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Health, metrics and status inside Quarkus, over a kernel in memory. */
@Slow
@QuarkusTest
class ObservabilityTest {
    @Inject
    InMemoryNode node;

    @Inject
    InMemoryDataplane kernel;

    @Inject
    AgentLoop loop;

    @Inject
    AgentSettings mapped;

    @BeforeEach
    void inOrder() {
        for (IpFamily family : IpFamily.values()) {
            kernel.failReads(family, Optional.empty());
        }
        node.configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        loop.pass();
        Eventually.holds("listening", this::connected, String::isEmpty);
    }

    /** Empty when a server takes a connection, else why not. */
    private String connected() {
        try (Socket socket = new Socket("127.0.0.1", node.port())) {
            return socket.isConnected() ? "" : "not connected";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private ValidatableResponse get(String path) {
        return given().port(node.port()).when().get(path).then();
    }

    @Test
    void allProbesAreUpWhenTheKernelIsAsDesired() {
        get("/q/health/live").statusCode(200).body("status", equalTo("UP"));
        get("/q/health/started").statusCode(200).body("status", equalTo("UP"));
        get("/q/health/ready")
                .statusCode(200)
                .body("checks.find { it.name == 'rules' }.data.ipv4", equalTo("in sync"))
                .body("checks.find { it.name == 'rules' }.data.ipv6", equalTo("in sync"));
    }

    /** For the command in the agent's own pod, which has no memory to spare for a parser. */
    @Test
    void statusIsRenderedForWhoAsks() {
        // counters are kept for a second, which may be those of another test whose kernel could not be read
        Eventually.holds(
                "the rules are read",
                () -> get("/status?as=text").extract().asString(),
                value -> value.contains("10.0.0.0/8"));
        get("/status").statusCode(200).contentType("application/json").header("Ip-Masq-In-Sync", "true");
        get("/status?as=json").statusCode(200).body("inSync", equalTo(true));
        get("/status?as=text")
                .statusCode(200)
                .header("Ip-Masq-In-Sync", "true")
                .contentType("text/plain")
                .body(containsString("in sync         true"))
                .body(containsString("10.0.0.0/8"));
        get("/status?as=yaml").statusCode(200).body(containsString("inSync: true"));
        get("/status?as=xml").statusCode(400).body(containsString("text, json or yaml"));
    }

    @Test
    void whatIsNotFollowedIsShownWithTheReason() {
        get("/status").body("notFollowed", equalTo(null));
        loop.notFollowed("rules", "the kernel does not report changes");
        try {
            get("/status").body("notFollowed.rules", equalTo("the kernel does not report changes"));
            get("/status?as=text").body(containsString("not followed    the kernel does not report changes"));
        } finally {
            loop.notFollowed("rules", "");
        }
        get("/status?as=text").body(not(containsString("not followed")));
    }

    @Test
    void notInSyncIsSaidWithoutABody() {
        kernel.failReads(IpFamily.IPV4, Optional.of(new Failure(FailureCode.LOCK_HELD, "held", "wait")));
        loop.pass();
        get("/status?as=text").statusCode(200).header("Ip-Masq-In-Sync", "false");
    }

    @Test
    void aBadTextIsDegradedButReady() {
        node.configure("nonMasqueradeCIDRs: [10.0.0.1/8]\n");
        loop.pass();
        get("/q/health/ready")
                .statusCode(200)
                .body("checks.find { it.name == 'rules' }.data.degraded", containsString("write 10.0.0.0/8"));
        get("/q/metrics")
                .body(containsString("ip_masq_agent_config_valid 0.0"))
                .body(containsString("ip_masq_agent_degraded 1.0"));
        get("/status")
                .statusCode(200)
                .contentType("application/json")
                .body("config.state", equalTo("invalid"))
                .body("config.inForce", equalTo("config"))
                .body("config.problems[0].code", equalTo("cidr-host-bits"))
                .body("config.problems[0].line", equalTo(1))
                .body("conditions.find { it.type == 'Configured' }.status", equalTo("False"))
                .body("conditions.find { it.type == 'Degraded' }.reason", equalTo("ConfigInvalid"))
                .body("conditions.type", hasItem("Available"));
    }

    @Test
    void aKernelThatCannotBeReadIsCountedByItsCode() {
        kernel.failReads(
                IpFamily.IPV4,
                Optional.of(new Failure(FailureCode.LOCK_HELD, "the lock is held", "find who holds it")));
        loop.pass();
        get("/q/metrics")
                .body(not(containsString("ip_masq_agent_sync_failures_total{code=\"lock-held\"} 0.0")))
                .body(containsString("ip_masq_agent_in_sync{family=\"ipv4\"} 0.0"))
                .body(containsString("ip_masq_agent_in_sync{family=\"ipv6\"} 1.0"));
        get("/status")
                .body("families.ipv4.failure.code", equalTo("lock-held"))
                .body("conditions.find { it.type == 'Available' }.status", equalTo("False"))
                .body("conditions.find { it.type == 'Progressing' }.reason", equalTo("Retrying"));
    }

    @Test
    void statusShowsValuesWithTheirOrigin() {
        get("/status")
                .body("config.effective.nonMasqueradeCIDRs[0].origin", equalTo("config line 1"))
                .body("config.effective.masqOutBound.origin", equalTo("built-in"))
                .body("families.ipv4.managed", equalTo(true))
                .body("backend.name", equalTo("iptables-nft"));
    }

    @Test
    void quarkusAndThePlainSettingsHaveTheSameDefaults() {
        Settings plain = Settings.of(name -> Optional.empty());
        assertThat(mapped.config()).hasValue(plain.config().toString());
        assertThat(mapped.profile()).hasValue(plain.profile());
        assertThat(mapped.stateDir()).hasValue(plain.stateDir().toString());
        assertThat(mapped.backend()).hasValue(plain.backend().key());
        assertThat(mapped.host()).hasValue(plain.host());
        assertThat(mapped.port()).hasValue(String.valueOf(plain.port()));
        assertThat(mapped.patience()).hasValue(net.ipmasq.net.GoDuration.format(plain.patience()));
        assertThat(mapped.fullReadInterval()).hasValue(net.ipmasq.net.GoDuration.format(plain.fullRead()));
    }
}
