package net.ipmasq.cli;

import static net.ipmasq.json.JsonText.object;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cleanup}: takes everything of ours away. */
@Command(
        name = "cleanup",
        mixinStandardHelpOptions = true,
        modelTransformer = LogFlags.class,
        description =
                "Removes our chain and jumps, both families, from every backend that can hold them, and forgets the"
                        + " stored state. Can be repeated.",
        footer = {"", "Example: ip-masq-agent cleanup --profile cce"})
final class CleanupCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    Cli cli;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Mixin
    GoFlags goFlags = new GoFlags();

    @Option(names = "--then-wait", description = "After success wait for SIGTERM, as a container of a DaemonSet must.")
    boolean thenWait;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    private final List<Map<String, Object>> done = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    @Override
    public Integer call() {
        Settings settings = common.settings(goFlags.flags());
        StateStore store = new StateStore(settings.stateDir());
        Set<String> chains = new LinkedHashSet<>();
        chains.add(Profiles.of(settings).chain().value());
        Optional<StateStore.LastGood> stored = store.load();
        stored.ifPresent(state -> chains.add(state.chain()));
        Dataplane dataplane = cli.node().dataplane(settings);
        Probe probe = dataplane.probe();
        boolean permitted =
                probe.impossible().values().stream().noneMatch(failure -> failure.code() == FailureCode.NOT_PERMITTED);
        if (permitted) {
            Optional<Boolean> here =
                    stored.map(state -> state.backend().equals(probe.backend().key()));
            for (String chain : chains) {
                note(chain, ofUse(here.orElse(true), dataplane.remove(chain, Set.of(IpFamily.values()))));
                note(chain, ofUse(!here.orElse(false), dataplane.removeElsewhere(chain)));
            }
        } else {
            failures.add(probe.impossible().values().iterator().next());
        }
        if (failures.isEmpty()) {
            forget(store);
        }
        Output.print(
                spec.commandLine().getOut(),
                common.format,
                object(
                        "removed",
                        done,
                        "failures",
                        failures.stream().map(Failure::oneLine).toList()),
                this::text);
        int code = ExitCode.of(failures, new ConfigOutcome.Absent(), ExitCode.OK);
        if (thenWait && code == ExitCode.OK) {
            untilTheEnd();
        }
        return code;
    }

    private static void untilTheEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Without those that cannot be read in a place where we are known never to have been: such a table holds native nft
     * rules of somebody else, and would keep a clean-up from ever ending well.
     */
    private static Map<IpFamily, ApplyOutcome> ofUse(boolean mayHaveBeenThere, Map<IpFamily, ApplyOutcome> outcomes) {
        Map<IpFamily, ApplyOutcome> counted = new EnumMap<>(IpFamily.class);
        outcomes.forEach((family, outcome) -> {
            boolean unreadable =
                    outcome instanceof ApplyOutcome.Failed(Failure failure) && failure.code() == FailureCode.UNREADABLE;
            if (mayHaveBeenThere || !unreadable) {
                counted.put(family, outcome);
            }
        });
        return counted;
    }

    private void note(String chain, Map<IpFamily, ApplyOutcome> outcomes) {
        outcomes.forEach((family, outcome) -> {
            switch (outcome) {
                case ApplyOutcome.Applied applied -> done.add(object("chain", chain, "family", family.key()));
                case ApplyOutcome.Unchanged unchanged -> {}
                case ApplyOutcome.Failed(Failure failure) -> {
                    // where a table or tool does not exist there is nothing of ours
                    if (!failure.code().isLasting() || failure.code() == FailureCode.NOT_PERMITTED) {
                        failures.add(failure);
                    }
                }
            }
        });
    }

    private void forget(StateStore store) {
        try {
            store.forget();
        } catch (IOException e) {
            failures.add(
                    new Failure(FailureCode.REJECTED, "the stored state cannot be deleted: " + e, "delete it by hand"));
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        done.forEach(one -> text.append("removed chain ")
                .append(one.get("chain"))
                .append(" (")
                .append(one.get("family"))
                .append(")\n"));
        failures.forEach(failure -> text.append(failure.oneLine()).append('\n'));
        if (done.isEmpty() && failures.isEmpty()) {
            text.append("nothing of ours is there\n");
        }
        return text.toString();
    }
}
