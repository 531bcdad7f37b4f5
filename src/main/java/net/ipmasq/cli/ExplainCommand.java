package net.ipmasq.cli;

import static net.ipmasq.json.JsonText.object;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.agent.LocalNode;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.agent.UsageException;
import net.ipmasq.agent.masquerade.SourceAddress;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.Quoted;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.NodeFacts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code explain}: which rule decides for an address. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        modelTransformer = LogFlags.class,
        description =
                "Shows for each destination which rule decides, where its value comes from, and which source address a"
                        + " pod's packet gets.",
        footer = {
            "",
            "Example: ip-masq-agent explain 10.1.2.3 8.8.8.8 2001:db8::1",
            "Example: ip-masq-agent explain 8.8.8.8 --from 10.244.1.7"
        })
final class ExplainCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Cli cli;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    GoFlags goFlags = new GoFlags();

    @Parameters(arity = "1..*", paramLabel = "ADDRESS", description = "Destination addresses.")
    List<String> addresses = List.of();

    @Option(
            names = "--from",
            paramLabel = "SOURCE",
            description =
                    "Address of the pod that sends the packets, for routing by source or incoming device (default:"
                            + " one of this node's pod ranges, where a running agent knows them).")
    @Nullable
    String from;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    /**
     * One answer.
     *
     * @param source empty for a packet that keeps the pod's
     * @param pod the pod that sends the packet; empty where it is not known or makes no difference
     * @param why why no rules are kept for its family; empty if they are
     * @param shadows other people's rules that can overrule it
     */
    private record Answer(
            Decision decision,
            Optional<SourceAddress> source,
            Optional<IpAddress> pod,
            String why,
            List<Shadow> shadows) {}

    @Override
    public Integer call() {
        List<IpAddress> destinations =
                addresses.stream().map(ExplainCommand::address).toList();
        Optional<IpAddress> pod = Optional.ofNullable(from).map(ExplainCommand::address);
        Settings settings = common.settingsOfLook(goFlags.flags());
        NodeAccess node = cli.node();
        Assessment assessment = node.reconciler(settings, Sources.ofCommands(settings), Clock.systemUTC())
                .assess();
        EffectiveConfig config = config(assessment, settings);
        RunningAgent.Answer agent = RunningAgent.ask(settings);
        Unmanaged unmanaged = Unmanaged.of(
                config.ipv6(), agent, Unmanaged.byNode(config.ipv6(), assessment, new NodeLimits(node.files())));
        MasqPolicy policy = MasqPolicy.of(config, unmanaged.managed());
        AgentsNode agents = AgentsNode.of(agent, node.files());
        try (SourceFinder sources = new SourceFinder(pod, SourceFinder.podCidrs(agent), node.files())) {
            List<Answer> answers = answers(destinations, policy, unmanaged, sources, assessment);
            Output.print(
                    spec.commandLine().getOut(),
                    common.format,
                    answers.stream().map(answer -> document(answer, agents)).toList(),
                    () -> text(answers) + sources.lines() + agents.text(config, policy));
        }
        return assessment.outcome() instanceof ConfigOutcome.Invalid ? ExitCode.INVALID_CONFIG : ExitCode.OK;
    }

    private static List<Answer> answers(
            List<IpAddress> destinations,
            MasqPolicy policy,
            Unmanaged unmanaged,
            SourceFinder sources,
            Assessment assessment) {
        NodeFacts node = LocalNode.facts();
        List<Answer> answers = new ArrayList<>();
        for (IpAddress destination : destinations) {
            Decision decision = policy.explain(destination, node);
            boolean masqueraded = decision.verdict() == Decision.Verdict.MASQUERADE;
            answers.add(new Answer(
                    decision,
                    masqueraded ? Optional.of(sources.given(destination)) : Optional.empty(),
                    masqueraded ? sources.pod(destination.family()) : Optional.empty(),
                    decision.rule().equals("unmanaged") ? unmanaged.why().getOrDefault(destination.family(), "") : "",
                    shadows(decision, assessment.kernel().families())));
        }
        return answers;
    }

    /** The values that the agent would keep the kernel at; reports it where they are not the configuration's. */
    private EffectiveConfig config(Assessment assessment, Settings settings) {
        if (assessment.outcome() instanceof ConfigOutcome.Invalid invalid) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "ip-masq-agent: " + settings.config() + " is not valid; the answers are those of what is in"
                                    + " force: " + assessment.inForce().origin() + ". First problem: "
                                    + invalid.problems().getFirst().oneLine());
            spec.commandLine().getErr().flush();
        }
        if (assessment.outcome() instanceof ConfigOutcome.Unknown unknown) {
            spec.commandLine()
                    .getErr()
                    .println("ip-masq-agent: " + unknown.why() + "; in force: "
                            + assessment.inForce().origin());
            spec.commandLine().getErr().flush();
        }
        if (assessment.inForce() instanceof DesiredState.Configured configured) {
            return configured.config();
        }
        spec.commandLine()
                .getErr()
                .println("ip-masq-agent: the kernel's own rules stay in force until there is a usable configuration;"
                        + " 'ip-masq-agent status' shows them. The answers are the profile's.");
        spec.commandLine().getErr().flush();
        return EffectiveConfig.of(AgentConfig.EMPTY, Profiles.of(settings));
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text).orElseThrow(() -> new UsageException(notAnAddress(text)));
    }

    /** What {@link CidrSyntax} finds wrong with the same text as a CIDR, where that tells more than that it is not one. */
    private static String notAnAddress(String text) {
        String known = "(cidr-zone|cidr-leading-zero|cidr-ipv4-mapped|cidr-dns-name)";
        if (text.indexOf('/') < 0
                && CidrSyntax.parse(text) instanceof CidrSyntax.Bad bad
                && bad.code().matches(known)) {
            String fix = bad.fix()
                    .replaceFirst("/(32|128)$", "")
                    .replace("CIDRs that the name stands", "addresses it stands");
            return bad.message() + "; " + fix;
        }
        int slash = text.indexOf('/');
        boolean range = slash > 0 && IpAddress.parse(text.substring(0, slash)).isPresent();
        return Quoted.of(text)
                + (range
                        ? " is a range, not an address; write one address of it, such as " + text.substring(0, slash)
                        : " is not an IP address; write one such as 10.1.2.3 or 2001:db8::1");
    }

    /** Rules of others that can overrule ours: those before our jump, and those behind it for packets that we let pass. */
    private static List<Shadow> shadows(Decision decision, Map<IpFamily, FamilyState> kernel) {
        List<Shadow> all = switch (kernel.get(decision.address().family())) {
            case FamilyState.Present present -> present.shadows();
            case FamilyState.Absent absent -> absent.shadows();
            case FamilyState.Unreadable unreadable -> List.<Shadow>of();
            case null -> List.<Shadow>of();
        };
        return all.stream()
                .filter(shadow -> shadow.before() || decision.verdict() == Decision.Verdict.KEEP)
                .toList();
    }

    /**
     * {@code source} is an address, {@code pod} or, where MASQUERADE's choice is not known, {@code node}; {@code podRange}
     * is there for an address of this node's pods that is masqueraded, which takes a caller's address from them.
     */
    private static Map<String, Object> document(Answer answer, AgentsNode agents) {
        Decision decision = answer.decision();
        SourceAddress given = answer.source().orElse(null);
        return object(
                "address", decision.address(),
                "family", decision.address().family().key(),
                "verdict", decision.verdict().key(),
                "source",
                        given == null ? "pod" : given instanceof SourceAddress.Address known ? known.address() : "node",
                "cidr", decision.cidr().map(Object::toString).orElse(""),
                "rule", decision.rule(),
                "origin", decision.origin(),
                "podRange", agents.podRange(decision).map(Cidr::toString).orElse(null),
                "device", given == null ? null : device(given),
                "from", answer.pod().orElse(null),
                "why", why(answer).isEmpty() ? null : why(answer),
                "shadows", answer.shadows().isEmpty() ? null : JsonDocuments.shadows(answer.shadows()));
    }

    private static @Nullable String device(SourceAddress given) {
        return switch (given) {
            case SourceAddress.Address known -> known.device();
            case SourceAddress.OfDevice of -> of.device();
            case SourceAddress.NotKnown not -> null;
        };
    }

    /** Why no rules are kept for the family, or why the source is not known; empty if neither is so. */
    private static String why(Answer answer) {
        return switch (answer.source().orElse(null)) {
            case null -> answer.why();
            case SourceAddress.Address known -> "";
            case SourceAddress.OfDevice of -> of.why();
            case SourceAddress.NotKnown not -> not.why();
        };
    }

    private static String text(List<Answer> answers) {
        StringBuilder text = new StringBuilder();
        for (Answer answer : answers) {
            text.append(sentence(answer)).append('\n');
            if (answer.source().isPresent() && !why(answer).isEmpty()) {
                text.append("    source: ").append(why(answer)).append('\n');
            }
            for (Shadow shadow : answer.shadows()) {
                text.append("    ")
                        .append(shadow.kind())
                        .append(shadow.before() ? " (before our rules): " : " (after our rules): ")
                        .append(shadow.text())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String sentence(Answer answer) {
        Decision decision = answer.decision();
        String why = switch (decision.rule()) {
            case "local" -> "it is an address of this node, and our rules see only packets that leave it";
            case "unmanaged" -> decision.address().family().label() + " is not managed here: " + answer.why();
            default ->
                decision.rule() + decision.cidr().map(cidr -> " " + cidr).orElse("") + " (" + decision.origin() + ")";
        };
        String what = switch (decision.verdict()) {
            case KEEP -> "keeps the pod's address";
            case MASQUERADE ->
                "is masqueraded as " + answer.source().map(ExplainCommand::name).orElse("");
            case LOCAL -> "keeps the pod's address";
        };
        return decision.address() + " " + what + ": " + why;
    }

    private static String name(SourceAddress given) {
        return switch (given) {
            case SourceAddress.Address known -> known.address().toString();
            case SourceAddress.OfDevice of -> "the address of " + of.device();
            case SourceAddress.NotKnown not -> "the node's address";
        };
    }
}
