package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that cannot be is refused before anything reaches the cluster, in words that name it. */
class InvalidValuesTest {
    private static final String SCHEMA = "values don't meet the specifications of the schema";

    private static final Set<String> MAY_BE_NONE = Set.of(
            "image.registry",
            "image.tag",
            "image.digest",
            "image.pullSecrets",
            "profile.overrides",
            "config",
            "podMonitor.labels",
            "prometheusRule.labels",
            "grafanaDashboard.labels",
            "nodeSelector",
            "affinity",
            "tolerations",
            "resources",
            "resources.requests",
            "resources.limits",
            "podAnnotations",
            "podLabels");

    private static String refusal(String values) {
        Throwable refused = catchThrowable(() -> Rendered.of(values));
        assertThat(refused).as("%s is refused", values).isNotNull();
        return refused.getMessage();
    }

    /** Helm writes a.b.0 up to 3.17 and /a/b/0 since. */
    private static Pattern naming(String path) {
        return Pattern.compile("(?s).*"
                + String.join(
                        "[./]",
                        List.of(path.split("\\.")).stream().map(Pattern::quote).toList())
                + ".*");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            imagee: {}                                                       | imagee
            image: {repo: a}                                                 | repo
            image: {registry: 'https://registry.example.com'}                | image.registry
            image: {repository: 'Upper/Case'}                                | image.repository
            image: {tag: 'a b'}                                              | image.tag
            image: {digest: 'sha256:123'}                                    | image.digest
            image: {pullPolicy: Sometimes}                                   | image.pullPolicy
            image: {pullSecrets: mine}                                       | image.pullSecrets
            profile: {name: eks}                                             | profile.name
            profile: {overrides: {colour: red}}                              | colour
            profile: {overrides: {chain: KUBE-MASQ}}                         | profile.overrides.chain
            profile: {overrides: {chain: MASQUERADE}}                        | profile.overrides.chain
            profile: {overrides: {chain: a-name-longer-than-the-kernel-has}} | profile.overrides.chain
            profile: {overrides: {ipv6: off}}                                | profile.overrides.ipv6
            profile: {overrides: {toPorts: '42 - 44'}}                       | profile.overrides.toPorts
            profile: {overrides: {toPorts: '70000'}}                         | profile.overrides.toPorts
            profile: {overrides: {defaults: {cidrLimit: 3}}}                 | cidrLimit
            profile: {overrides: {enforced: [10.0.0.0]}}                     | profile.overrides.enforced.0
            config: masqOutBound                                             | config
            config: {masqOutbond: true}                                      | masqOutbond
            config: {nonMasqueradeCIDRs: 10.0.0.0/8}                         | config.nonMasqueradeCIDRs
            config: {nonMasqueradeCIDRs: [10.0.0.0/8, 10.0.0.0/33]}          | config.nonMasqueradeCIDRs.1
            config: {nonMasqueradeCIDRs: [010.0.0.0/8]}                      | config.nonMasqueradeCIDRs.0
            config: {nonMasqueradeCIDRs: [db.example.com]}                   | config.nonMasqueradeCIDRs.0
            config: {nonMasqueradeCIDRs: [~]}                                | config.nonMasqueradeCIDRs.0
            config: {masqueradeCIDRs: ['fe80::%eth0/64']}                    | config.masqueradeCIDRs.0
            config: {masqueradeCIDRs: ['1:2:3:4:5:6:7:8::/128']}             | config.masqueradeCIDRs.0
            config: {masqOutBound: 'true'}                                   | config.masqOutBound
            config: {masqLinkLocal: 1}                                       | config.masqLinkLocal
            config: {resyncInterval: 60}                                     | config.resyncInterval
            config: {resyncInterval: soon}                                   | config.resyncInterval
            config: {cidrLimit: 0}                                           | config.cidrLimit
            config: {cidrLimit: '64'}                                        | config.cidrLimit
            userConfigMap: {create: maybe}                                   | userConfigMap.create
            agent: {backend: ipvs}                                           | agent.backend
            agent: {source: git}                                             | agent.source
            agent: {logFormat: xml}                                          | agent.logFormat
            agent: {stateDir: state}                                         | agent.stateDir
            agent: {stateDir: /var/../etc}                                   | agent.stateDir
            metrics: {address: 10.0.0.1}                                     | metrics.address
            metrics: {port: 0}                                               | metrics.port
            metrics: {port: '19180'}                                         | metrics.port
            podMonitor: {interval: 30}                                       | podMonitor.interval
            {podMonitor: {enabled: true}, metrics: {address: loopback}}      | metrics.address
            nodeSelector: {ready: true}                                      | nodeSelector.ready
            affinity: {nodeAfinity: {}}                                      | nodeAfinity
            tolerations: [{operator: Is}]                                    | tolerations.0.operator
            updateStrategy: {maxUnavailable: 0%}                             | updateStrategy.maxUnavailable
            updateStrategy: {type: Recreate}                                 | updateStrategy.type
            resources: {requests: {memory: lots}}                            | resources.requests.memory
            resources: {claims: []}                                          | claims
            priorityClassName: ''                                            | priorityClassName
            uninstall: {preserveRules: maybe}                                | uninstall.preserveRules
            uninstall: {timeoutSeconds: 0}                                   | uninstall.timeoutSeconds
            """, delimiter = '|')
    void theSchemaRefusesItByName(String values, String path) {
        assertThat(refusal(values)).contains(SCHEMA).matches(naming(path));
    }

    /** What a schema cannot say, the chart does. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            config: {nonMasqueradeCIDRs: [10.0.0.0/8, 10.1.2.3/8]}           | config.nonMasqueradeCIDRs[1]: '10.1.2.3/8' has bits set after its prefix of 8
            config: {masqueradeCIDRs: [10.1.2.3/31]}                         | config.masqueradeCIDRs[0]
            config: {masqueradeCIDRs: ['fc00::1/7']}                         | config.masqueradeCIDRs[0]
            config: {masqueradeCIDRs: ['FE00::/6']}                          | config.masqueradeCIDRs[0]
            config: {masqueradeCIDRs: ['::ffff:a00:0/104']}                  | config.masqueradeCIDRs[0]: '::ffff:a00:0/104' is an IPv4-mapped
            profile: {overrides: {enforced: [169.254.169.254/31, 10.1.0.0/8]}} | profile.overrides.enforced[1]
            profile: {overrides: {defaults: {masqueradeCIDRs: [1.0.0.0/0]}}} | profile.overrides.defaults.masqueradeCIDRs[0]
            config: {cidrLimit: 1, masqueradeCIDRs: [10.0.0.0/8, 172.16.0.0/12]} | 2 CIDRs over all lists, but at most 1 are accepted (config.cidrLimit)
            """, delimiter = '|')
    void theChartRefusesItByName(String values, String message) {
        assertThat(refusal(values)).contains(message);
    }

    static List<String> keys() {
        return Bundle.yaml(Bundle.CHART.resolve("values.yaml")).entrySet().stream()
                .flatMap(section -> Stream.concat(
                        Stream.of(section.getKey()),
                        section.getValue() instanceof Map<?, ?> map
                                ? map.keySet().stream().map(key -> section.getKey() + "." + key)
                                : Stream.of()))
                .toList();
    }

    /** Helm removes a default that a null stands over, and the schema does not notice. */
    @ParameterizedTest
    @MethodSource("keys")
    void aNullIsNoneOrRefusedByName(String key) {
        int dot = key.indexOf('.');
        String values = dot < 0 ? key + ": ~" : key.substring(0, dot) + ": {" + key.substring(dot + 1) + ": ~}";
        try {
            Rendered rendered = Rendered.of(values);
            assertThat(MAY_BE_NONE).contains(key);
            assertThat(rendered.names()).contains("DaemonSet/cce-ip-masq-agent");
        } catch (IllegalStateException e) {
            assertThat(MAY_BE_NONE).doesNotContain(key);
            assertThat(e).hasMessageContaining(key).hasMessageContaining("there is no value");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0/0",
                "255.255.255.255/32",
                "128.0.0.0/1",
                "::/0",
                "::1/128",
                "FC00::/7",
                "fe80::/10",
                "2001:db8::/33",
                "1:2:3:4:5:6:7:8/128",
                "1:2:3:4:5:6:7::/112",
                "::2:3:4:5:6:7:8/128",
                " 10.0.0.0/8 "
            })
    void everyKindOfCidrIsTaken(String cidr) {
        assertThat(Rendered.of("config: {nonMasqueradeCIDRs: ['" + cidr + "']}").text())
                .contains(cidr);
    }

    @Test
    void allRefusalsComeAtOnce() {
        assertThat(refusal("{image: {tag: 'a b'}, metrics: {port: 0}}"))
                .matches(naming("image.tag"))
                .matches(naming("metrics.port"));
    }
}
