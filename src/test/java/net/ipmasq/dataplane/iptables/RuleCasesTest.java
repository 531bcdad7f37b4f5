package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** From the text of a configuration to what the kernel shows, for every folder of {@code cases/rules}. */
class RuleCasesTest {

    @TestFactory
    Stream<DynamicTest> everyFileHasAUse() throws Exception {
        return RuleCase.all().stream().map(one -> DynamicTest.dynamicTest(one.name(), one::demandKnownFiles));
    }

    @Test
    void aFileWithoutAUseFails(@TempDir Path folder) throws IOException {
        for (String file : List.of("config.yaml", "v4.save", "v4.nft")) {
            Files.createFile(folder.resolve(file));
        }
        new RuleCase(folder).demandKnownFiles();
        Files.createFile(folder.resolve("v4.saev"));
        Assertions.assertThatThrownBy(() -> new RuleCase(folder).demandKnownFiles())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("v4.saev");
    }

    @TestFactory
    Stream<DynamicTest> twinsMeanTheSame() throws Exception {
        List<RuleCase> twins = RuleCase.all().stream()
                .filter(one -> Files.exists(one.folder().resolve("config.json")))
                .toList();
        assertThat(twins).isNotEmpty();
        return twins.stream()
                .map(one -> DynamicTest.dynamicTest(
                        one.name(),
                        () -> assertThat(one.rulesets())
                                .hasSize(2)
                                .allMatch(one.rulesets().getFirst()::equals)));
    }

    @NeedsKernel
    @TestFactory
    Stream<DynamicTest> theKernelShows() throws Exception {
        return RuleCase.all().stream()
                .flatMap(one -> Arrays.stream(Variant.values())
                        .map(variant -> DynamicTest.dynamicTest(
                                one.name() + " " + variant, () -> theKernelShows(one, variant))));
    }

    private static void theKernelShows(RuleCase one, Variant variant) throws IOException {
        EnumSet<IpFamily> both = EnumSet.allOf(IpFamily.class);
        Ruleset desired = one.rulesets().getFirst();
        try (NodeKernel node = NodeKernel.create(variant)) {
            IptablesDataplane dataplane = node.dataplane();
            assertThat(dataplane.apply(desired, dataplane.observe(desired.chain(), both)))
                    .containsOnlyKeys(desired.families().keySet())
                    .allSatisfy((family, outcome) -> assertThat(outcome).isInstanceOf(ApplyOutcome.Applied.class));
            for (IpFamily family : both) {
                assertThat(node.nat(family).stream()
                                .filter(line -> !line.startsWith(":"))
                                .toList())
                        .isEqualTo(one.expected(family));
            }
            assertThat(dataplane.apply(desired, dataplane.observe(desired.chain(), both)))
                    .allSatisfy((family, outcome) -> assertThat(outcome).isEqualTo(new ApplyOutcome.Unchanged()));
        }
    }
}
