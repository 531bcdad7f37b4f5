package net.ipmasq.cli;

import static net.ipmasq.json.JsonText.object;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.FamilyPass;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.dataplane.backend.Backends;
import net.ipmasq.net.IpFamily;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.observe.KernelDocument;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code plan}: what a pass would change. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        modelTransformer = LogFlags.class,
        description = "Shows what a pass would change in the kernel, as a diff; changes nothing.",
        footer = {"", "Example: ip-masq-agent plan --config my-config.yaml"})
final class PlanCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Cli cli;

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
        Assessment assessment = cli.node()
                .reconciler(settings, Sources.ofCommands(settings), Clock.systemUTC())
                .assess();
        Output.print(spec.commandLine().getOut(), common.format, document(assessment), () -> text(assessment));
        return ExitCode.of(assessment);
    }

    private static Map<String, Object> document(Assessment assessment) {
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            families.put(family.key(), KernelDocument.family(assessment, family, Failure::oneLine));
        }
        return object(
                "inSync", assessment.inSync(),
                "inForce", assessment.inForce().origin(),
                "backend", assessment.probe().backend().key(),
                "revision", assessment.desired().revision(),
                "problems", JsonDocuments.problems(assessment.outcome().problems()),
                "omitted", JsonDocuments.omitted(assessment.outcome().findings()),
                "families", families);
    }

    private static String text(Assessment assessment) {
        List<String> lines = new ArrayList<>(assessment.outcome().findings().lines(Problem::oneLine));
        lines.add("in force: " + assessment.inForce().origin() + ", backend "
                + assessment.probe().oneLine());
        for (IpFamily family : IpFamily.values()) {
            FamilyPass result = assessment.results().get(family);
            FamilyRules desired = assessment.desired().families().get(family);
            if (result == null || desired == null) {
                lines.add(family.label() + ": not managed: "
                        + assessment.families().whyNot(family));
            } else if (result.failure().isPresent()) {
                lines.add(family.label() + ": " + result.failure().get().oneLine());
            } else if (result.inSync()) {
                lines.add(family.label() + ": in sync");
            } else {
                lines.add(family.label() + ":");
                RuleSyntax syntax = Backends.syntax(assessment.probe().backend());
                result.differences().forEach(difference -> lines.add(diff(syntax, desired, family, difference)));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String diff(RuleSyntax syntax, FamilyRules desired, IpFamily family, Drift.Difference difference) {
        return switch (difference.kind()) {
            case CHAIN_MISSING -> "+ " + syntax.chain(desired.chain()) + "   and all its rules";
            case JUMP_MISSING -> "+ " + syntax.jump(desired, family);
            case RULE_MISSING ->
                "+ "
                        + difference
                                .rule()
                                .map(rule -> syntax.rule(desired.chain(), rule, family))
                                .orElse("");
            case JUMP_DUPLICATE, JUMP_VARIANT, RULE_UNEXPECTED -> "- " + difference.text();
            case RULE_ORDER -> "~ " + difference.text();
        };
    }
}
