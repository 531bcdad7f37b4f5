package net.ipmasq.bundle.archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.iptables.IptablesRenderer;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;

/** What a user's text and a provider's profile, as a bundle renders them, make of a node's nat table. */
sealed interface CompiledRules {

    /** Rules. */
    record Good(Ruleset ruleset) implements CompiledRules {
        /** Every rule as iptables shows it in a chain of this name, after its family. */
        List<String> lines(String chain) {
            List<String> lines = new ArrayList<>();
            for (IpFamily family : IpFamily.values()) {
                FamilyRules rules = ruleset.families().get(family);
                if (rules != null) {
                    rules.ordered()
                            .forEach(rule -> lines.add(family.label() + ": " + IptablesRenderer.line(chain, rule)));
                }
            }
            return lines;
        }
    }

    /** The agent would not take it. */
    record Bad(String message) implements CompiledRules {
        private static Bad of(String what, Problems problems) {
            Problems errors = new Problems(
                    problems.shown().stream().filter(Problem::isError).toList(), problems.omitted());
            return new Bad(what + String.join("; ", errors.lines(Problem::oneLine)));
        }
    }

    /** Compiles for a node that has every family of the profile. */
    static CompiledRules of(String config, String profile) {
        return switch (ProfileReader.read(profile.getBytes(StandardCharsets.UTF_8), "bundle")) {
            case ProfileReader.Bad bad -> Bad.of("the profile: ", bad.findings());
            case ProfileReader.Good good ->
                switch (ConfigJudge.judge(ConfigReader.read(config), good.profile())) {
                    case ConfigOutcome.Loaded loaded -> compile(EffectiveConfig.of(loaded.config(), good.profile()));
                    case ConfigOutcome.Invalid invalid -> Bad.of("the configuration: ", invalid.findings());
                    case ConfigOutcome.Absent absent -> compile(EffectiveConfig.of(AgentConfig.EMPTY, good.profile()));
                    case ConfigOutcome.Unknown unknown -> new Bad(unknown.why());
                };
        };
    }

    private static CompiledRules compile(EffectiveConfig config) {
        Set<IpFamily> families =
                config.ipv6() == Ipv6Mode.OFF ? EnumSet.of(IpFamily.IPV4) : EnumSet.allOf(IpFamily.class);
        return new Good(Ruleset.of(MasqPolicy.of(config, families), config.chain()));
    }
}
