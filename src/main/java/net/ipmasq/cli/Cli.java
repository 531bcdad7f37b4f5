package net.ipmasq.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.agent.Version;
import net.ipmasq.bundle.BundleException;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** The command line. Commands are plain objects: none of them boots a framework, but for {@code run} as a service. */
@Command(
        name = "ip-masq-agent",
        mixinStandardHelpOptions = true,
        versionProvider = Cli.VersionProvider.class,
        description = "Decides, per node and destination, whether a pod's packet leaves with the pod's address or the"
                + " node's.",
        footer = {
            "",
            "Exit codes: 0 ok, 1 difference found, 2 bad usage, 3 invalid configuration,",
            "            4 kernel or tool failure, 5 not permitted.",
            "Example:    ip-masq-agent explain 10.1.2.3 8.8.8.8"
        },
        subcommands = {
            RunCommand.class,
            CheckCommand.class,
            PlanCommand.class,
            RenderCommand.class,
            ExplainCommand.class,
            StatusCommand.class,
            CleanupCommand.class,
            ProfileCommand.class,
            BundleCommand.class,
            AutoComplete.GenerateCompletion.class,
            HelpCommand.class
        })
public final class Cli {
    private final CommandLine commandLine;
    private final BiFunction<Settings, LogTarget, Integer> service;
    private Optional<String> noAgent = Optional.empty();

    /**
     * @param service runs the agent as a service, wherever its log is to go, and returns its exit code
     */
    public Cli(Function<Settings, Integer> service) {
        this((settings, log) -> service.apply(settings));
    }

    /**
     * @param service runs the agent as a service and returns its exit code
     */
    public Cli(BiFunction<Settings, LogTarget, Integer> service) {
        this.service = service;
        this.commandLine = new CommandLine(this)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // as Go's flags: the last one holds; charts that append to a list of arguments rely on it
                .setOverwrittenOptionsAllowed(true)
                .setExecutionExceptionHandler(Cli::report);
        CommandLine.IParameterExceptionHandler own = commandLine.getParameterExceptionHandler();
        commandLine.setParameterExceptionHandler((problem, args) -> misread(own, problem, args));
    }

    int serve(Settings settings, LogTarget log) {
        return service.apply(settings, log);
    }

    /** For a line whose question {@link QuickStatus} has asked before: nobody answers, and why. */
    public Cli knowing(QuickStatus.NoAgent answer) {
        noAgent = Optional.of(answer.why());
        return this;
    }

    RunningAgent.Answer ask(Settings settings) {
        return noAgent.<RunningAgent.Answer>map(RunningAgent.Answer.None::new)
                .orElseGet(() -> RunningAgent.ask(settings));
    }

    /** Redirects what commands print, for tests. */
    public Cli to(PrintWriter out, PrintWriter err) {
        commandLine.setOut(out).setErr(err);
        return this;
    }

    /** Runs one command line to its end. */
    public int execute(String... args) {
        return commandLine.execute(FlagWords.complete(args));
    }

    private static int misread(
            CommandLine.IParameterExceptionHandler own, CommandLine.ParameterException problem, String... args)
            throws Exception {
        int code = own.handleParseException(problem, args);
        // last, below the usage, which can fill a screen
        FlagWords.hint(args).ifPresent(hint -> {
            problem.getCommandLine().getErr().println("ip-masq-agent: " + hint);
            problem.getCommandLine().getErr().flush();
        });
        return code;
    }

    private static int report(Exception problem, CommandLine command, CommandLine.ParseResult parsed) {
        if (problem instanceof UsageException || problem instanceof BundleException) {
            command.getErr().println("ip-masq-agent: " + problem.getMessage());
            command.getErr().flush();
            return ExitCode.USAGE;
        }
        // not 1, which says that a difference was found
        command.getErr().println("ip-masq-agent: internal error, please report it with what follows:");
        problem.printStackTrace(command.getErr());
        command.getErr().flush();
        return ExitCode.FAILURE;
    }

    /** The version of the jar. */
    static final class VersionProvider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"ip-masq-agent " + Version.TEXT};
        }
    }
}
