package net.ipmasq.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.BiFunction;
import net.ipmasq.agent.AgentVersion;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

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
            ProfileCommand.class
        })
public final class Cli {
    private final CommandLine commandLine;
    private final NodeAccess node;
    private final BiFunction<Settings, LogTarget, Integer> service;
    private Optional<String> noAgent = Optional.empty();

    /**
     * @param node what commands work on
     * @param service runs the agent as a service and returns its exit code
     * @param more commands of packages that this one does not know
     */
    public Cli(NodeAccess node, BiFunction<Settings, LogTarget, Integer> service, Object... more) {
        this.node = node;
        this.service = service;
        this.commandLine = program(this, more);
        commandLine.setParameterExceptionHandler((problem, args) -> {
            int code = misread(problem, args);
            // last, below the usage, which can fill a screen
            FlagWords.hint(args)
                    .ifPresent(hint -> complain(problem.getCommandLine().getCommandSpec(), hint));
            return code;
        });
    }

    /** A program of picocli commands: reading, errors and exit codes are the same for each. */
    public static CommandLine program(Object top, Object... commands) {
        CommandLine program = new CommandLine(top);
        for (Object command : commands) {
            program.addSubcommand(command);
        }
        return program.addSubcommand(new AutoComplete.GenerateCompletion())
                .addSubcommand(new HelpCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                // as Go's flags: the last one holds; charts that append to a list of arguments rely on it
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler(Cli::misread)
                .setExecutionExceptionHandler(Cli::report);
    }

    NodeAccess node() {
        return node;
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

    private static int misread(ParameterException problem, String... args) {
        CommandLine command = problem.getCommandLine();
        Optional<String> noCommand = noCommand(problem);
        complain(command.getCommandSpec(), noCommand.orElseGet(() -> String.valueOf(problem.getMessage())));
        if (noCommand.isEmpty() && !UnmatchedArgumentException.printSuggestions(problem, command.getErr())) {
            command.usage(command.getErr());
        }
        command.getErr().flush();
        return ExitCode.USAGE;
    }

    /** What to say about a word that stands where a command's name does; picocli would guess the least unlike name. */
    private static Optional<String> noCommand(ParameterException problem) {
        CommandSpec command = problem.getCommandLine().getCommandSpec();
        return problem instanceof UnmatchedArgumentException unmatched
                        && !unmatched.isUnknownOption()
                        && !command.subcommands().isEmpty()
                        && command.positionalParameters().isEmpty()
                ? Optional.of("'" + unmatched.getUnmatched().getFirst() + "' is no command; " + command.qualifiedName()
                        + " has " + String.join(", ", command.subcommands().keySet()))
                : Optional.empty();
    }

    private static int report(Exception problem, CommandLine command, CommandLine.ParseResult parsed) {
        if (problem instanceof UsageException) {
            complain(command.getCommandSpec(), String.valueOf(problem.getMessage()));
            return ExitCode.USAGE;
        }
        // not 1, which means that a difference was found
        complain(command.getCommandSpec(), "internal error, please report it with what follows:");
        problem.printStackTrace(command.getErr());
        command.getErr().flush();
        return ExitCode.FAILURE;
    }

    /** Ends the process. Not by System.exit: that looks for a logger in every jar first, which takes longer than a command. */
    public static void end(int code) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** Prints what is wrong on standard error, with the program's name in front. */
    public static void complain(CommandSpec command, String problem) {
        PrintWriter err = command.commandLine().getErr();
        err.println(command.root().name() + ": " + problem);
        err.flush();
    }

    /** The program's name with the version of the jar. */
    public static final class VersionProvider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"${ROOT-COMMAND-NAME} " + AgentVersion.TEXT};
        }
    }
}
