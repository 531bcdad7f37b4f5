package net.ipmasq.cli;

import static net.ipmasq.text.JsonText.object;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Settings;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.iptables.Renderer;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
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
        boolean nft = settings.backend().equals(NftablesDataplane.BACKEND);
        Output.print(spec.commandLine().getOut(), common.format, document(ruleset, nft), () -> text(ruleset, nft));
        return ExitCode.OK;
    }

    private static String render(FamilyRules rules, IpFamily family, boolean nft) {
        return nft ? net.ipmasq.dataplane.nftables.Renderer.render(rules, family) : Renderer.render(rules);
    }

    private static Map<String, Object> document(Ruleset ruleset, boolean nft) {
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            FamilyRules rules = ruleset.families().get(family);
            if (rules != null) {
                families.put(family.key(), List.of(render(rules, family, nft).split("\n")));
            }
        }
        return object("revision", ruleset.revision(), "chain", ruleset.chain(), "families", families);
    }

    private static String text(Ruleset ruleset, boolean nft) {
        StringBuilder text = new StringBuilder();
        for (IpFamily family : IpFamily.values()) {
            FamilyRules rules = ruleset.families().get(family);
            if (rules != null) {
                String iptables = family == IpFamily.IPV4 ? "iptables" : "ip6tables";
                text.append("# ")
                        .append(family.label())
                        .append(", revision ")
                        .append(
                                nft
                                        ? net.ipmasq.dataplane.nftables.Renderer.revision(rules, family)
                                        : ruleset.revision())
                        .append(": ")
                        .append(nft ? "nft -f -" : iptables + "-restore --noflush -w 5")
                        .append('\n')
                        .append(render(rules, family, nft));
            }
        }
        return text.toString();
    }
}
