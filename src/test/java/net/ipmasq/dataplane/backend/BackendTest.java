package net.ipmasq.dataplane.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.Assembly;
import net.ipmasq.cli.Cli;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.lab.RandomConfig;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What has to be there for each backend; a new constant fails here until it is. */
class BackendTest {
    private static final String CHAIN = "IP-MASQ-AGENT";

    /** A node with no tools at all, on which the agent may administrate the network. */
    private record BareNode() implements TextRunner, NodeFiles {
        @Override
        public Outcome run(List<String> argv, String stdin, Duration limit) {
            throw new AssertionError("there is no program: " + argv);
        }

        @Override
        public boolean has(String program) {
            return false;
        }

        @Override
        public Optional<String> read(String path) {
            return path.equals("/proc/self/status") ? Optional.of("CapEff:\t0000000000003000\n") : Optional.empty();
        }
    }

    /** Names in settings, metrics and the stored state: they never change. */
    @Test
    void theSettingTakesEveryBackendAndTwoChoices() {
        assertThat(Settings.BACKENDS)
                .containsExactly("iptables", "iptables-nft", "iptables-legacy", "nftables", "auto");
        for (String key : Settings.BACKENDS) {
            Settings settings = Settings.of(
                    name -> Optional.of(key.toUpperCase(java.util.Locale.ROOT)).filter(text -> name.equals("backend")));
            assertThat(settings.backend().key()).isEqualTo(key);
        }
        assertThat(Settings.of(name -> Optional.empty()).backend()).isEqualTo(BackendSetting.IPTABLES);
    }

    @ParameterizedTest
    @EnumSource
    void theNodeIsGivenTheBackendThatIsSet(Backend backend) {
        BareNode node = new BareNode();
        BackendSetting setting = BackendSetting.of(backend.key());
        assertThat(Backends.of(setting, node, node).probe().backend()).isEqualTo(backend);
    }

    @ParameterizedTest
    @EnumSource
    void everyShapeOfRuleIsWrittenInItsOwnWay(Backend backend) {
        RuleSyntax syntax = Backends.syntax(backend);
        for (long seed = 1; seed <= 200; seed++) {
            Ruleset ruleset = Ruleset.of(RandomConfig.of(seed).policy(), CHAIN);
            ruleset.families().forEach((family, rules) -> check(syntax, ruleset, family, rules, backend));
        }
    }

    private static void check(RuleSyntax syntax, Ruleset ruleset, IpFamily family, FamilyRules rules, Backend backend) {
        assertThat(syntax.whole(rules, family))
                .contains(syntax.chain(CHAIN))
                .contains(syntax.jump(rules, family))
                .endsWith("\n");
        assertThat(syntax.revision(ruleset, family)).matches("[0-9a-f]{12}");
        assertThat(syntax.command(family)).isNotBlank();
        Set<Rule> different = rules.ordered().stream().map(Rule::withoutOrigin).collect(Collectors.toSet());
        assertThat(different.stream().map(rule -> syntax.rule(CHAIN, rule, family)))
                .as("what %s shows of different rules", backend)
                .doesNotContain("")
                .doesNotHaveDuplicates();
    }

    /** Where the kernel's word of a change is looked for is where the rules are written. */
    @ParameterizedTest
    @EnumSource
    void theTableIsTheOneThatIsWritten(Backend backend) {
        Backend.Table table = backend.table().orElse(null);
        assertThat(backend.movesGeneration()).isEqualTo(table != null);
        if (table != null) {
            for (IpFamily family : IpFamily.values()) {
                FamilyRules rules = new FamilyRules.Listed(CHAIN, List.of());
                assertThat(Backends.syntax(backend).whole(rules, family)).contains(table.name());
                table.baseChain()
                        .ifPresent(base -> assertThat(Backends.syntax(backend).jump(rules, family))
                                .contains(base));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void renderShowsIt(Backend backend, @TempDir Path directory) throws IOException {
        Path config = Files.writeString(directory.resolve("config"), "nonMasqueradeCIDRs: [10.0.0.0/8, fd00::/8]\n");
        StringWriter out = new StringWriter();
        int code = new Cli(Assembly.ofThisMachine(), (settings, log) -> 99)
                .to(new PrintWriter(out), new PrintWriter(out))
                .execute("render", "--backend", backend.key(), "--config", config.toString());
        assertThat(code).as(out.toString()).isZero();
        RuleSyntax syntax = Backends.syntax(backend);
        assertThat(out.toString())
                .contains(syntax.command(IpFamily.IPV4), syntax.command(IpFamily.IPV6), "10.0.0.0/8", "fd00::/8");
    }

    @Test
    void keysAreDifferent() {
        assertThat(Arrays.stream(Backend.values()).map(Backend::key)).doesNotHaveDuplicates();
    }
}
