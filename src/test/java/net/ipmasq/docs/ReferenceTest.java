package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.WithDefault;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.AgentSettings;
import net.ipmasq.app.Assembly;
import net.ipmasq.bundle.cli.Fleet;
import net.ipmasq.cli.Cli;
import net.ipmasq.cli.ExitCode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The tables of {@code docs/reference.md} are what picocli and the settings know. {@code ./dev generate} runs the first
 * test, which writes them.
 */
class ReferenceTest {
    private static final String PAGE = "docs/reference.md";
    /** All commands have these. */
    private static final List<String> STANDARD = List.of("--help", "--version");

    private static Map<String, GeneratedTable> tables() throws ReflectiveOperationException {
        Map<String, CommandLine> agent = commands(Cli.program(new Cli(Assembly.ofThisMachine(), (settings, log) -> 0)));
        Map<String, CommandLine> fleet = commands(Fleet.program());
        Map<String, GeneratedTable> tables = new LinkedHashMap<>();
        tables.put("commands of ip-masq-agent", commandTable(agent));
        tables.put("commands of ip-masq-fleet", commandTable(fleet));
        tables.put("exit codes", exitCodes());
        tables.put("settings", settings(agent));
        tables.put("options of ip-masq-agent", optionTable(agent));
        tables.put("options of ip-masq-fleet", optionTable(fleet));
        return tables;
    }

    /** Commands with their full names, for example {@code profile show}; one with subcommands is there by those. */
    private static Map<String, CommandLine> commands(CommandLine program) {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        collect("", program, commands);
        return commands;
    }

    private static void collect(String prefix, CommandLine parent, Map<String, CommandLine> into) {
        parent.getSubcommands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()) {
                into.put(prefix + name, command);
            }
            collect(prefix + name + " ", command, into);
        });
    }

    private static GeneratedTable commandTable(Map<String, CommandLine> commands) {
        List<List<String>> rows = new ArrayList<>();
        commands.forEach((name, command) -> {
            StringBuilder line = new StringBuilder(name);
            command.getCommandSpec().positionalParameters().stream()
                    .filter(parameter -> !parameter.hidden())
                    .forEach(parameter -> line.append(' ').append(parameter.paramLabel()));
            rows.add(List.of(
                    code(line.toString()), summary(command.getCommandSpec().usageMessage())));
        });
        return new GeneratedTable(List.of("command", "what it does"), List.of("exit codes", "note"), rows);
    }

    /** The first paragraph; picocli's own commands have more. */
    private static String summary(UsageMessageSpec usage) {
        return text(usage.header().length > 0 ? usage.header()[0] : usage.description()[0]);
    }

    private static GeneratedTable exitCodes() throws ReflectiveOperationException {
        Map<Integer, List<String>> rows = new TreeMap<>();
        for (Field field : ExitCode.class.getFields()) {
            rows.put(field.getInt(null), List.of(String.valueOf(field.getInt(null))));
        }
        return new GeneratedTable(List.of("exit code"), List.of("meaning"), List.copyOf(rows.values()));
    }

    /** Asked for by the reader of settings itself, so that a new one cannot be forgotten. */
    private static GeneratedTable settings(Map<String, CommandLine> commands) throws ReflectiveOperationException {
        List<String> asked = new ArrayList<>();
        Settings.of(name -> {
            asked.add(name);
            return Optional.empty();
        });
        List<List<String>> rows = new ArrayList<>();
        for (String name : asked) {
            boolean flag = commands.values().stream()
                    .anyMatch(command -> command.getCommandSpec().findOption("--" + name) != null);
            rows.add(List.of(
                    code("ip-masq." + name),
                    code(Settings.environmentName(name)),
                    flag ? code("--" + name) : "-",
                    defaultOf(name)));
        }
        return new GeneratedTable(
                List.of("property", "environment", "flag", "default"), List.of("meaning"), List.copyOf(rows));
    }

    private static String defaultOf(String setting) throws ReflectiveOperationException {
        StringBuilder method = new StringBuilder();
        for (String word : setting.split("-")) {
            method.append(method.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        WithDefault given = AgentSettings.class.getMethod(method.toString()).getAnnotation(WithDefault.class);
        return given == null ? "-" : code(given.value());
    }

    /** Options with the same text are one row; hidden ones are those that are accepted without effect. */
    private record Row(String options, String description) {}

    private static GeneratedTable optionTable(Map<String, CommandLine> commands) {
        Map<Row, Set<String>> users = new LinkedHashMap<>();
        Map<Row, Set<String>> options = new LinkedHashMap<>();
        commands.forEach((name, command) -> command.getCommandSpec().options().stream()
                .filter(option -> !STANDARD.contains(option.longestName()))
                .forEach(option -> {
                    String description = text(option.description());
                    Row row = new Row(option.hidden() ? "" : argument(option), description);
                    options.computeIfAbsent(row, any -> new LinkedHashSet<>()).add(code(argument(option)));
                    users.computeIfAbsent(row, any -> new LinkedHashSet<>()).add(code(name));
                }));
        List<List<String>> rows = new ArrayList<>();
        users.forEach((row, names) -> rows.add(List.of(
                String.join(", ", options.getOrDefault(row, Set.of())),
                names.size() == commands.size() ? "all" : String.join(", ", names),
                row.description())));
        return new GeneratedTable(List.of("option", "commands", "what it does"), List.of(), rows);
    }

    private static String argument(OptionSpec option) {
        String name = option.longestName().startsWith("--") ? option.longestName() : option.names()[0];
        return option.arity().max() == 0 ? name : name + " " + option.paramLabel();
    }

    private static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    private static String text(String... lines) {
        return String.join(" ", lines).replace("|", "\\|").replace("%%", "%");
    }

    @Test
    @EnabledIfSystemProperty(named = "bundle.generate", matches = "true")
    void generate() throws Exception {
        String page = Docs.text(PAGE);
        for (Map.Entry<String, GeneratedTable> table : tables().entrySet()) {
            page = table.getValue().into(page, table.getKey());
        }
        Files.writeString(Path.of(PAGE), page);
    }

    @TestFactory
    Stream<DynamicTest> tablesAreThoseOfTheProgram() throws Exception {
        String page = Docs.text(PAGE);
        return tables().entrySet().stream()
                .map(table -> DynamicTest.dynamicTest(
                        table.getKey(),
                        () -> assertThat(table.getValue().into(page, table.getKey()))
                                .as("run ./dev generate")
                                .isEqualTo(page)));
    }

    /** What {@code ./dev generate} cannot know is written by hand, in the last columns. */
    @TestFactory
    Stream<DynamicTest> everyRowIsExplained() throws Exception {
        String page = Docs.text(PAGE);
        return tables().entrySet().stream()
                .filter(table -> !table.getValue().byHand().isEmpty())
                .map(table -> DynamicTest.dynamicTest(
                        table.getKey(),
                        () -> assertThat(table.getValue().unexplained(page, table.getKey()))
                                .isEmpty()));
    }
}
