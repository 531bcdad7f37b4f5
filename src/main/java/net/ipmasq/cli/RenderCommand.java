package net.ipmasq.cli;

import static net.ipmasq.json.JsonText.object;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Settings;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.dataplane.backend.Backends;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code render}: the exact text for a configuration. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        modelTransformer = LogFlags.class,
        description =
                "Prints the exact text that iptables-restore, or nft with --backend nftables, gets for a configuration;"
                        + " needs no rights. It asks no node, so IPv6 is shown unless the profile has it off.",
        footer = {"", "Example: ip-masq-agent render --config my-config.yaml --profile gke"})
final class RenderCommand implements Callable<Integer> {
    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    GoFlags goFlags = new GoFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Settings settings = common.settingsOfLook(goFlags.flags());
        ConfigInput input = ConfigInput.read(settings);
        if (input.outcome() instanceof ConfigOutcome.Invalid invalid) {
            for (String line : invalid.findings().lines(Problem::oneLine)) {
                spec.commandLine().getErr().println(settings.config() + ": " + line);
            }
            spec.commandLine().getErr().flush();
            return ExitCode.INVALID_CONFIG;
        }
        EffectiveConfig config = input.effective();
        Set<IpFamily> families =
                config.ipv6() == Ipv6Mode.OFF ? EnumSet.of(IpFamily.IPV4) : EnumSet.allOf(IpFamily.class);
        Ruleset ruleset = Ruleset.of(MasqPolicy.of(config, families), config.chain());
        RuleSyntax syntax = Backends.syntax(settings.backend().shown());
        Output.print(
                spec.commandLine().getOut(), common.format, document(ruleset, syntax), () -> text(ruleset, syntax));
        return ExitCode.OK;
    }

    private static Map<String, Object> document(Ruleset ruleset, RuleSyntax syntax) {
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            FamilyRules rules = ruleset.families().get(family);
            if (rules != null) {
                families.put(family.key(), List.of(syntax.whole(rules, family).split("\n")));
            }
        }
        return object("revision", ruleset.revision(), "chain", ruleset.chain(), "families", families);
    }

    private static String text(Ruleset ruleset, RuleSyntax syntax) {
        StringBuilder text = new StringBuilder();
        for (IpFamily family : IpFamily.values()) {
            FamilyRules rules = ruleset.families().get(family);
            if (rules != null) {
                text.append("# ")
                        .append(family.label())
                        .append(", revision ")
                        .append(syntax.revision(ruleset, family))
                        .append(": ")
                        .append(syntax.command(family))
                        .append('\n')
                        .append(syntax.whole(rules, family));
            }
        }
        return text.toString();
    }
}
