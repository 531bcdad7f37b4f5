package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.ipmasq.cli.ExitCode;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ManifestReader;
import net.ipmasq.dataplane.iptables.IptablesSyntax;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;

/** The reference of behaviour has what the code has, and what refers to its sections finds them. */
class BehaviourTest {
    private static final String PAGE = "docs/behaviour.md";

    @Test
    void everyKeyIsListed() throws IOException {
        assertThat(Docs.firstCells(PAGE, "### Keys"))
                .containsExactlyInAnyOrderElementsOf(ConfigKey.spellings(ConfigKey.ALL));
    }

    @Test
    void profilesHaveTheirRanges() throws IOException {
        List<List<String>> rows = Page.of(Docs.text(PAGE)).tables().stream()
                .filter(table -> table.rows().getFirst().getFirst().equals("profile"))
                .findFirst()
                .orElseThrow()
                .rows();
        assertThat(rows.stream()
                        .skip(1)
                        .map(row -> Page.code(row.getFirst()).getFirst())
                        .sorted())
                .containsExactlyElementsOf(
                        BuiltInProfiles.names().stream().sorted().toList());
        for (List<String> row : rows.subList(2, 4)) {
            ProviderProfile profile = profile(Page.code(row.getFirst()).getFirst());
            assertThat(List.of(row.get(1).split(", ")))
                    .isEqualTo(profile.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS).value().stream()
                            .filter(cidr -> cidr.family() == IpFamily.IPV4)
                            .map(Cidr::toString)
                            .toList());
        }
    }

    @Test
    void theExampleHasTheRulesThatItShows() throws IOException {
        List<String> blocks = Page.of(Docs.text(PAGE)).blocks();
        ConfigOutcome outcome = ConfigJudge.judge(ManifestReader.check(inner(blocks.get(0))), profile("cce"));
        EffectiveConfig config = EffectiveConfig.of(((ConfigOutcome.Loaded) outcome).config(), profile("cce"));
        FamilyRules rules = Ruleset.of(MasqPolicy.of(config, EnumSet.allOf(IpFamily.class)), config.chain())
                .families()
                .get(IpFamily.IPV4);
        IptablesSyntax syntax = new IptablesSyntax();
        Stream<String> lines = rules.ordered().stream().map(rule -> syntax.rule(config.chain(), rule, IpFamily.IPV4));
        assertThat(inner(blocks.get(1)).lines().toList())
                .isEqualTo(Stream.concat(Stream.of(syntax.jump(rules, IpFamily.IPV4)), lines)
                        .toList());
    }

    @Test
    void everyKindOfDriftIsListed() throws IOException {
        assertThat(Docs.text(PAGE))
                .contains(Arrays.stream(Drift.Kind.values())
                        .map(kind -> "`" + kind.key() + "`")
                        .toList());
    }

    @Test
    void exitCodesAreThoseOfTheCommands() throws IOException {
        assertThat(Page.of(Docs.text(PAGE)).tables().getLast().rows().stream()
                        .skip(1)
                        .map(List::getFirst)
                        .map(Integer::valueOf))
                .containsExactly(
                        ExitCode.OK,
                        ExitCode.DIFFERENCE,
                        ExitCode.USAGE,
                        ExitCode.INVALID_CONFIG,
                        ExitCode.FAILURE,
                        ExitCode.NOT_PERMITTED);
    }

    /** Sources name a section as {@code docs/behaviour.md, "Rules"}. */
    @Test
    void sectionsThatSourcesNameExist() throws IOException {
        Set<String> sections = new TreeSet<>();
        for (String heading : Page.of(Docs.text(PAGE)).headings()) {
            sections.add(heading.replaceFirst("#+ ", ""));
        }
        int mentions = 0;
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                for (String name : Page.all(PAGE + ", \"([^\"]+)\"", Files.readString(source))) {
                    assertThat(sections).as(source.toString()).contains(name);
                    mentions++;
                }
            }
        }
        assertThat(mentions).isPositive();
    }

    private static ProviderProfile profile(String name) {
        return BuiltInProfiles.profile(name).orElseThrow();
    }

    private static String inner(String block) {
        return block.substring(block.indexOf('\n') + 1, block.lastIndexOf("```"));
    }
}
