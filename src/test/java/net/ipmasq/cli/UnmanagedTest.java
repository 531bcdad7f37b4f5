package net.ipmasq.cli;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import net.ipmasq.json.JsonReader;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who decides whether a family is managed: the profile, the running agent, or else the node. */
class UnmanagedTest {
    private static final RunningAgent.Answer NO_AGENT = new RunningAgent.Answer.None("no agent answers");
    private static final Function<IpFamily, String> NODE_WITHOUT =
            family -> family == IPV6 ? "IPv6 is switched off" : "";
    private static final Function<IpFamily, String> NODE_WITH = family -> "";

    private static RunningAgent.Answer agent(String mode, String ipv6) throws java.io.IOException {
        return new RunningAgent.Answer.Status(JsonReader.object("""
                {"config": {"effective": {"ipv6": {"value": "%s", "origin": "profile"}}},
                 "families": {"ipv4": {"managed": true}, "ipv6": {%s}}}
                """.formatted(mode, ipv6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "ON"})
    void withoutAnAgentTheNodeIsAsked(Ipv6Mode mode) {
        assertThat(Unmanaged.of(mode, NO_AGENT, NODE_WITH).managed()).containsExactlyInAnyOrder(IPV4, IPV6);
        assertThat(Unmanaged.of(mode, NO_AGENT, NODE_WITHOUT).why()).isEqualTo(Map.of(IPV6, "IPv6 is switched off"));
    }

    @Test
    void theRunningAgentDecides() throws Exception {
        String lacks = "\"managed\": false, \"why\": \"ip6tables-nft-save is not on PATH\"";
        Unmanaged without = Unmanaged.of(Ipv6Mode.AUTO, agent("auto", lacks), NODE_WITH);
        assertThat(without.managed()).containsExactly(IPV4);
        assertThat(without.why()).containsEntry(IPV6, "ip6tables-nft-save is not on PATH");
        Unmanaged with = Unmanaged.of(Ipv6Mode.AUTO, agent("auto", "\"managed\": true"), NODE_WITHOUT);
        assertThat(with.managed()).containsExactlyInAnyOrder(IPV4, IPV6);
        assertThat(Unmanaged.of(Ipv6Mode.AUTO, agent("auto", "\"managed\": false"), NODE_WITH)
                        .why()
                        .get(IPV6))
                .isNotBlank();
    }

    /** It works with another profile than the question is about, so that its state says nothing of that. */
    @Test
    void anAgentWithAnotherModeDoesNot() throws Exception {
        RunningAgent.Answer off =
                agent("off", "\"managed\": false, \"why\": \"switched off by the profile or a flag\"");
        assertThat(Unmanaged.of(Ipv6Mode.AUTO, off, NODE_WITH).why()).isEmpty();
        assertThat(Unmanaged.of(Ipv6Mode.AUTO, off, NODE_WITHOUT).why()).containsOnlyKeys(IPV6);
        RunningAgent.Answer auto = agent("auto", "\"managed\": true");
        assertThat(Unmanaged.of(Ipv6Mode.OFF, auto, NODE_WITH).why())
                .isEqualTo(Map.of(IPV6, "switched off by the profile or a flag"));
    }

    @Test
    void anAnswerThatSaysNothingOfFamiliesIsNone() throws Exception {
        for (String text : new String[] {"{}", "{\"families\": []}", "{\"config\": {\"effective\": \"x\"}}"}) {
            RunningAgent.Answer odd = new RunningAgent.Answer.Status(JsonReader.object(text));
            assertThat(Unmanaged.of(Ipv6Mode.AUTO, odd, NODE_WITHOUT).why())
                    .as(text)
                    .containsOnlyKeys(IPV6);
        }
    }
}
