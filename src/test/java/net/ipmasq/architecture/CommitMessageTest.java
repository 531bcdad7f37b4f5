package net.ipmasq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.lab.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hook that {@code ./dev setup} installs, by itself and as git runs it. */
class CommitMessageTest {
    private static final Path HOOK = Path.of("scripts", "hooks", "commit-msg").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private Exited hook(String message) throws IOException {
        Path file = Files.writeString(directory.resolve("message"), message);
        return (Exited)
                Programs.run(List.of(HOOK.toString(), file.toString()), "", Map.of("PATH", Programs.path()), LIMIT);
    }

    private Exited git(Path in, String... args) {
        String command = "cd \"$1\" && shift && git -c user.name=Nobody -c user.email=nobody@example.com \"$@\"";
        List<String> argv = new java.util.ArrayList<>(List.of("bash", "-c", command, "git", in.toString()));
        argv.addAll(List.of(args));
        Map<String, String> environment = Map.of("PATH", Programs.path(), "HOME", directory.toString());
        return (Exited) Programs.run(argv, "", environment, LIMIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Add a test",
                "Pass the address on",
                "Focus on one thing",
                "Need no root for unit tests",
                "Bring the reference into the docs",
                "Process an Event once\n\nIt was processed twice.\n",
                "# a comment of git's\n\nFix the order of rules\n\n# Changes to be committed:\n",
                "Show the diff below\n# ------------------------ >8 ------------------------\nadded\nremoved\n",
                "Merge branch 'a-branch-with-quite-a-long-name' into another-branch-with-a-long-name-too",
                "Revert \"A subject of long ago, which is longer than seventy-two characters as it stands\"",
                "fixup! Added something long ago",
                "squash! Added something long ago",
                "Zwölf Zeichen mit Umlauten zählen als zwölf Zeichen und nicht als Bytes",
                "",
                "# nothing but comments\n"
            })
    void whatIsAccepted(String message) throws IOException {
        Exited exited = hook(message);
        assertThat(exited.stderr()).isEmpty();
        assertThat(exited.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Added a test",
                "Adds a test",
                "Adding a test",
                "added a test",
                "Tests: a case of two lists",
                "A test for the hook",
                "This is a test",
                "Made it faster",
                "When a pass fails, log it"
            })
    void whatIsNotImperative(String message) throws IOException {
        Exited exited = hook(message);
        assertThat(exited.code()).isEqualTo(1);
        assertThat(exited.stderr())
                .contains(
                        "does not begin with a verb in the imperative",
                        "  " + message + "\n",
                        "'Add ...'",
                        "git commit -e");
    }

    @Test
    void aLongLineIsCounted() throws IOException {
        assertThat(hook("Add " + "x".repeat(68)).code()).isZero();
        Exited exited = hook("Add " + "x".repeat(69));
        assertThat(exited.code()).isEqualTo(1);
        assertThat(exited.stderr()).contains("has 73 characters, 72 is the most");
    }

    @Test
    void aSecondLineIsEmpty() throws IOException {
        Exited exited = hook("Add a test\nand another one\n");
        assertThat(exited.code()).isEqualTo(1);
        assertThat(exited.stderr()).contains("the second line is not empty", "Put an empty line");
    }

    /** A clone with the hook in its first commit, as {@code ./dev setup} leaves it. */
    private Path clone(String name) throws IOException {
        Path clone = directory.resolve(name);
        Path hooks = Files.createDirectories(clone.resolve("scripts/hooks"));
        Files.copy(HOOK, hooks.resolve("commit-msg"));
        Files.copy(Path.of("scripts/install-hooks.sh"), clone.resolve("scripts/install-hooks.sh"));
        for (String file : List.of("scripts/hooks/commit-msg", "scripts/install-hooks.sh")) {
            assertThat(clone.resolve(file).toFile().setExecutable(true)).isTrue();
        }
        assertThat(git(clone, "init", "-q", "-b", "main").stderr()).isEmpty();
        assertThat(git(clone, "add", ".").code()).isZero();
        return clone;
    }

    private Exited install(Path clone) {
        return (Exited) Programs.run(
                List.of(clone.resolve("scripts/install-hooks.sh").toString()),
                "",
                Map.of("PATH", Programs.path(), "HOME", directory.toString()),
                LIMIT);
    }

    @Test
    void gitRunsItInTheCloneAndItsWorktrees() throws IOException {
        Path clone = clone("clone");
        assertThat(install(clone).code()).isZero();
        assertThat(install(clone).stderr()).as("again").isEmpty();
        assertThat(git(clone, "commit", "-qm", "Added it all").stderr()).contains("'Added'");
        assertThat(git(clone, "commit", "-qm", "Add it all").code()).isZero();

        Path worktree = directory.resolve("worktree");
        assertThat(git(clone, "worktree", "add", "-q", worktree.toString()).code())
                .isZero();
        assertThat(git(worktree, "commit", "--allow-empty", "-qm", "Fixes it").code())
                .isNotZero();
        assertThat(git(worktree, "commit", "--allow-empty", "-qm", "Fix it").code())
                .isZero();
        assertThat(git(clone, "merge", "-q", "--no-ff", "worktree").code()).isZero();
    }

    @Test
    void hooksOfAPersonStay() throws IOException {
        Path clone = clone("mine");
        git(clone, "config", "core.hooksPath", "/my/hooks");
        Exited exited = install(clone);
        assertThat(exited.code()).isZero();
        assertThat(exited.stderr()).contains("core.hooksPath is set to /my/hooks already", "git config core.hooksPath");
        assertThat(git(clone, "config", "core.hooksPath").stdout()).isEqualTo("/my/hooks\n");
    }

    @Test
    void theMenuInstallsIt() throws IOException {
        assertThat(Path.of("dev")).content().contains("\n  setup) setup ;;\n", "\"$root/scripts/install-hooks.sh\"\n");
    }
}
