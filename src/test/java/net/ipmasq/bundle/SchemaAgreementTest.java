package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProviderProfile;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * A configuration that the chart takes is one that the agent takes, and the other way round. What they differ in by intent
 * is not generated: the chart has no unknown keys, no other case of a key and no null, which in a values file is nearly always a
 * slip; the agent takes them with a warning. An IPv4 address inside IPv6 (64:ff9b::10.0.0.0/104) is for the agent alone.
 */
class SchemaAgreementTest {
    private static final ProviderProfile CCE = BuiltInProfiles.profile("cce").orElseThrow();

    /** What a schema cannot express; the chart's templates find it instead. */
    private static final Set<String> BEYOND_A_SCHEMA = Set.of("cidr-host-bits", "cidr-ipv4-mapped", "cidr-limit");

    private static Set<String> errors(Map<String, Object> config) {
        ConfigOutcome read = ConfigReader.read(Schema.tree(config).toString());
        return ConfigJudge.judge(read, CCE).problems().stream()
                .filter(Problem::isError)
                .map(Problem::code)
                .collect(Collectors.toSet());
    }

    @Property(tries = 3000)
    void theSchemaTakesWhatTheAgentTakes(@ForAll("configs") Map<String, Object> config) {
        Set<String> errors = errors(config);
        boolean ours = BEYOND_A_SCHEMA.containsAll(errors);
        assertThat(Schema.accepts(Map.of("config", config)))
                .as("%s: the agent says %s", config, errors)
                .isEqualTo(ours);
    }

    /** Helm's engine, schema and templates together: exactly what the agent says. */
    @Property(tries = 300)
    void theChartTakesWhatTheAgentTakes(@ForAll("configs") Map<String, Object> config) {
        Set<String> errors = errors(config);
        String values = Schema.tree(Map.of("config", config)).toString();
        String answer;
        try {
            String text = Rendered.of(values).data("cce-ip-masq-agent", "config");
            // and what it renders says the same
            ConfigOutcome read = ConfigJudge.judge(ConfigReader.read(text), CCE);
            assertThat(read).isInstanceOf(ConfigOutcome.Loaded.class);
            answer = "";
        } catch (IllegalStateException e) {
            answer = e.getMessage();
        }
        assertThat(answer.isEmpty())
                .as("%s: the agent says %s, Helm %s", config, errors, answer)
                .isEqualTo(errors.isEmpty());
    }

    @Provide
    Arbitrary<Map<String, Object>> configs() {
        Arbitrary<List<Object>> lists = cidrs().list().ofMaxSize(4);
        Arbitrary<Object> list = Arbitraries.frequencyOf(
                Tuple.of(12, lists.map(l -> (Object) l)), Tuple.of(1, Arbitraries.of("10.0.0.0/8", true, 8, Map.of())));
        return Combinators.combine(list.optional(0.6), list.optional(0.4), bools().optional(0.4), bools().optional(0.2))
                .as((keep, masq, out, local) -> {
                    Map<String, Object> config = new LinkedHashMap<>();
                    keep.ifPresent(value -> config.put("nonMasqueradeCIDRs", value));
                    masq.ifPresent(value -> config.put("masqueradeCIDRs", value));
                    out.ifPresent(value -> config.put("masqOutBound", value));
                    local.ifPresent(value -> config.put("masqLinkLocalIPv6", value));
                    return config;
                })
                .flatMap(config -> Combinators.combine(durations().optional(0.3), limits().optional(0.3))
                        .as((interval, limit) -> {
                            Map<String, Object> all = new LinkedHashMap<>(config);
                            interval.ifPresent(value -> all.put("resyncInterval", value));
                            limit.ifPresent(value -> all.put("cidrLimit", value));
                            return all;
                        }));
    }

    private static Arbitrary<Object> bools() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of(true, false)), Tuple.of(1, Arbitraries.of("true", "no", 1, "", List.of())));
    }

    private static Arbitrary<Object> limits() {
        return Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.integers().between(1, 100).map(i -> (Object) i)),
                Tuple.of(1, Arbitraries.of(0, -1, "64", 1.5, 999_999_999, 1_000_000_000, true)));
    }

    private static Arbitrary<Object> durations() {
        Arbitrary<String> part = Combinators.combine(
                        Arbitraries.of("1", "30", "1.5", ".5", "2.", "007", "0"),
                        Arbitraries.of("s", "m", "h", "ms", "us", "µs", "ns"))
                .as(String::concat);
        Arbitrary<String> good = part.list().ofMinSize(1).ofMaxSize(3).map(parts -> String.join("", parts));
        return Arbitraries.frequencyOf(
                Tuple.of(6, good.map(text -> (Object) text)),
                Tuple.of(2, good.map(text -> "-" + text)),
                Tuple.of(3, Arbitraries.of("soon", "60", 60, "", "1d", "1 m", ".s", "0", "+0", "1m ", "--1s", "1S")));
    }

    /** Mostly right, with the mistakes that people make. */
    private static Arbitrary<Object> cidrs() {
        Arbitrary<String> octet = Arbitraries.of("0", "10", "128", "192", "255", "1", "256", "010", "");
        Arbitrary<String> v4 = Combinators.combine(octet, octet, octet, octet)
                .as((a, b, c, d) -> String.join(".", a, b, c, d))
                .filter(text -> text.length() > 3);
        Arbitrary<String> groups = Arbitraries.of("0", "fc00", "FE80", "1", "2001", "db8", "ffff", "12345", "g")
                .list()
                .ofMaxSize(8)
                .map(all -> String.join(":", all));
        Arbitrary<String> v6 = Combinators.combine(groups, Arbitraries.of("::", ":", ""), groups)
                .as((head, gap, tail) -> head + gap + tail)
                .filter(text -> text.contains(":"));
        Arbitrary<String> length =
                Arbitraries.of("/0", "/8", "/7", "/16", "/24", "/32", "/33", "/64", "/128", "/129", "/08", "", "/x");
        Arbitrary<String> any =
                Combinators.combine(Arbitraries.oneOf(v4, v6), length).as(String::concat);
        Arbitrary<String> good = Arbitraries.of(
                "10.0.0.0/8",
                "172.16.0.0/12",
                "0.0.0.0/0",
                "255.255.255.255/32",
                "fc00::/7",
                "::/0",
                "2001:db8::/32",
                "1:2:3:4:5:6:7:8/128",
                " 192.168.0.0/16 ");
        return Arbitraries.frequencyOf(
                Tuple.of(8, good.map(text -> (Object) text)),
                Tuple.of(3, any.map(text -> (Object) text)),
                Tuple.of(1, Arbitraries.of("", "db.example.com", 10, true, List.of(), "10.0.0.1")));
    }
}
