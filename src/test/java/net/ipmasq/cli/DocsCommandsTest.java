package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.Assembly;
import net.ipmasq.bundle.cli.Fleet;
import net.ipmasq.docs.Docs;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The README's tables are what picocli and the settings know. */
class DocsCommandsTest {
    private static final String README = "README.md";

    /** All commands with their full names, for example {@code profile show}. */
    private static Map<String, CommandLine> commands() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        collect("", Cli.program(new Cli(Assembly.ofThisMachine(), (settings, log) -> 0)), commands);
        collect("", Fleet.program(), commands);
        return commands;
    }

    private static void collect(String prefix, CommandLine parent, Map<String, CommandLine> into) {
        parent.getSubcommands().forEach((name, command) -> {
            into.put(prefix + name, command);
            collect(prefix + name + " ", command, into);
        });
    }

    /** A command with subcommands of its own is documented by those. */
    @Test
    void everyCommandIsListedAndNoOther() throws IOException {
        Set<String> expected = new TreeSet<>();
        commands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()) {
                expected.add(name);
            }
        });
        Set<String> listed = new TreeSet<>();
        for (String cell : Docs.firstCells(README, "## Commands")) {
            listed.add(cell.replaceFirst(" [\\[A-Z-].*", ""));
        }
        assertThat(listed).isEqualTo(expected);
    }

    @Test
    void everyOptionIsListedAndNoOther() throws IOException {
        Set<String> expected = new TreeSet<>();
        for (CommandLine command : commands().values()) {
            command.getCommandSpec().options().forEach(option -> expected.add(option.longestName()));
        }
        Set<String> listed = new TreeSet<>();
        for (String cell : Docs.firstCells(README, "## Settings")) {
            if (cell.startsWith("-")) {
                listed.add(cell);
            }
        }
        assertThat(listed).isEqualTo(expected);
    }

    /** Asked for by the reader of settings itself, so that a new one cannot be forgotten. */
    @Test
    void everySettingIsListedWithItsEnvironmentVariable() throws IOException {
        Set<String> asked = new TreeSet<>();
        Settings.of(name -> {
            asked.add(name);
            return java.util.Optional.empty();
        });
        String readme = Docs.text(README);
        assertThat(asked)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(readme)
                        .contains("| `ip-masq." + name + "` | `" + Settings.environmentName(name) + "` |"));
    }
}
