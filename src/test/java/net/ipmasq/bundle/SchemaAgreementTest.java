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
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import net.ipmasq.lab.Slow;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;

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

    @Test
    void theSchemaTakesWhatTheAgentTakes() {
        Property.tries(3000).forAll(SchemaAgreementTest::config, config -> {
            Set<String> errors = errors(config);
            boolean ours = BEYOND_A_SCHEMA.containsAll(errors);
            if (ours && errors.contains("cidr-ipv4-mapped")) {
                return; // of two mistakes in one CIDR the agent names this one; a schema may find the prefix, too
            }
            assertThat(Schema.accepts(Map.of("config", config)))
                    .as("%s: the agent says %s", config, errors)
                    .isEqualTo(ours);
        });
    }

    /** Helm's engine, schema and templates together: exactly what the agent says. */
    @Slow
    @Test
    void theChartTakesWhatTheAgentTakes() {
        Property.tries(300).forAll(SchemaAgreementTest::config, config -> {
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
        });
    }

    private static Map<String, Object> config(Draws draws) {
        Map<String, Object> config = new LinkedHashMap<>();
        draws.optional(60, SchemaAgreementTest::cidrs).ifPresent(value -> config.put("nonMasqueradeCIDRs", value));
        draws.optional(40, SchemaAgreementTest::cidrs).ifPresent(value -> config.put("masqueradeCIDRs", value));
        draws.optional(40, SchemaAgreementTest::bool).ifPresent(value -> config.put("masqOutBound", value));
        draws.optional(20, SchemaAgreementTest::bool).ifPresent(value -> config.put("masqLinkLocalIPv6", value));
        draws.optional(30, SchemaAgreementTest::duration).ifPresent(value -> config.put("resyncInterval", value));
        draws.optional(30, SchemaAgreementTest::limit).ifPresent(value -> config.put("cidrLimit", value));
        return config;
    }

    private static Object cidrs(Draws draws) {
        return draws.weighted(12, 1) == 0
                ? draws.list(4, SchemaAgreementTest::cidr)
                : draws.of("10.0.0.0/8", true, 8, Map.of());
    }

    private static Object bool(Draws draws) {
        return draws.weighted(8, 1) == 0 ? draws.yes() : draws.of("true", "no", 1, "", List.of());
    }

    private static Object limit(Draws draws) {
        return draws.weighted(6, 1) == 0
                ? draws.between(1, 100)
                : draws.of(0, -1, "64", 1.5, 999_999_999, 1_000_000_000, true);
    }

    private static Object duration(Draws draws) {
        return switch (draws.weighted(6, 2, 3)) {
            case 0 -> goodDuration(draws);
            case 1 -> "-" + goodDuration(draws);
            default -> draws.of("soon", "60", 60, "", "1d", "1 m", ".s", "0", "+0", "1m ", "--1s", "1S");
        };
    }

    private static String goodDuration(Draws draws) {
        return String.join(
                "",
                draws.list(
                        1,
                        3,
                        some -> some.of("1", "30", "1.5", ".5", "2.", "007", "0")
                                + some.of("s", "m", "h", "ms", "us", "µs", "ns")));
    }

    /** Mostly right, with the mistakes that people make. */
    private static Object cidr(Draws draws) {
        return switch (draws.weighted(8, 3, 1)) {
            case 0 ->
                draws.of(
                        "10.0.0.0/8",
                        "172.16.0.0/12",
                        "0.0.0.0/0",
                        "255.255.255.255/32",
                        "fc00::/7",
                        "::/0",
                        "2001:db8::/32",
                        "1:2:3:4:5:6:7:8/128",
                        " 192.168.0.0/16 ");
            case 1 ->
                (draws.yes() ? v4(draws) : v6(draws))
                        + draws.of(
                                "/0", "/8", "/7", "/16", "/24", "/32", "/33", "/64", "/128", "/129", "/08", "", "/x");
            default -> draws.of("", "db.example.com", 10, true, List.of(), "10.0.0.1");
        };
    }

    private static String v4(Draws draws) {
        return draws.fitting(
                some -> String.join(".", octet(some), octet(some), octet(some), octet(some)),
                text -> text.length() > 3);
    }

    private static String octet(Draws draws) {
        return draws.of("0", "10", "128", "192", "255", "1", "256", "010", "");
    }

    private static String v6(Draws draws) {
        return draws.fitting(some -> groups(some) + some.of("::", ":", "") + groups(some), text -> text.contains(":"));
    }

    private static String groups(Draws draws) {
        return String.join(
                ":", draws.list(8, some -> some.of("0", "fc00", "FE80", "1", "2001", "db8", "ffff", "12345", "g")));
    }
}
