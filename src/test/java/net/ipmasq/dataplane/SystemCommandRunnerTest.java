package net.ipmasq.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.NotStarted;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.CommandRunner.TimedOut;
import net.ipmasq.dataplane.CommandRunner.Unread;
import net.ipmasq.lab.PackagedHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real programs that do what no tool should: none may hold its caller beyond the limit, and each gets its own name. */
class SystemCommandRunnerTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    private final CommandRunner runner = new SystemCommandRunner("/usr/bin:/bin");

    private CommandRunner.Outcome sh(Duration limit, String script) {
        return runner.run(List.of("sh", "-c", script), "", limit);
    }

    private Path file(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void whatAProgramSaysIsHandedOver() {
        assertThat(sh(LONG, "echo out; echo err >&2; exit 3")).isEqualTo(new Exited(3, "out\n", "err\n"));
        assertThat(runner.run(List.of("cat"), "in", LONG)).isEqualTo(new Exited(0, "in", ""));
        Streamed<Integer> first =
                runner.stream(List.of("sh", "-c", "echo streamed; exit 1"), LONG, text -> text.read());
        assertThat(first).isEqualTo(new Streamed<>(new Exited(1, "", ""), Optional.of((int) 's')));
    }

    /** What is not read would keep the tool from ending. */
    @Test
    void aReadingThatStopsEarlyDoesNotStopTheTool() {
        Streamed<String> read = runner.stream(
                List.of("sh", "-c", "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; echo end >&2"),
                LONG,
                text -> {
                    text.close();
                    return "enough";
                });
        assertThat(read.value()).contains("enough");
        assertThat(read.outcome()).isInstanceOfSatisfying(Exited.class, exited -> {
            assertThat(exited.code()).isZero();
            assertThat(exited.stderr()).hasSizeLessThanOrEqualTo(64 * 1024);
        });
    }

    @Test
    void onlyAMissingProgramIsMissing() throws IOException {
        assertThat(runner.run(List.of("no-such-program-here"), "", LONG))
                .isInstanceOfSatisfying(
                        NotStarted.class, not -> assertThat(not.missing()).isTrue());
        Path noInterpreter = file("script", "#!/no/such/interpreter\n");
        Path noRight = Files.writeString(directory.resolve("plain"), "#!/bin/sh\n");
        for (Path present : List.of(noInterpreter, noRight)) {
            assertThat(runner.run(List.of(present.toString()), "", LONG))
                    .isInstanceOfSatisfying(
                            NotStarted.class,
                            not -> assertThat(not.missing()).as(not.reason()).isFalse());
        }
        assertThat(runner.run(List.of(noInterpreter.toString()), "", LONG).toString())
                .contains("something that it needs to start is missing");
        assertThat(new SystemCommandRunner(directory.toString()).has("script")).isTrue();
        assertThat(new SystemCommandRunner(directory.getParent().toString())
                        .has(String.valueOf(directory.getFileName())))
                .as("a directory is no program")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a grandchild that keeps the pipes open beyond its parent's end
                "sleep 300 & echo $! >PIDS",
                "sleep 300 >/dev/null & echo $! >PIDS",
                "sleep 300 2>/dev/null & echo $! >PIDS",
                "echo $$ >PIDS; exec sleep 300",
                "echo $$ >PIDS; while :; do echo more; done"
            })
    void theLimitCoversEverything(String script) throws IOException {
        Path pids = directory.resolve("pids");
        try {
            CommandRunner.Outcome outcome = sh(SHORT, script.replace("PIDS", pids.toString()));
            // Java closes a pipe at the tool's own end if nobody is reading just then: no reason to wait either
            boolean ended = outcome.equals(new Exited(0, "", "")) && script.endsWith("& echo $! >PIDS");
            assertThat(ended || List.of(new TimedOut(SHORT), tooMuch()).contains(outcome))
                    .as(outcome.toString())
                    .isTrue();
            if (ended) {
                assertThat(ProcessHandle.of(
                                        Long.parseLong(Files.readString(pids).strip()))
                                .map(ProcessHandle::isAlive))
                        .as("who holds the pipe was not waited for")
                        .contains(true);
            }
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(pids).strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** A fast machine gets there before the limit. */
    private static Unread tooMuch() {
        return new Unread("it printed more than 4 MiB");
    }

    @Test
    void aToolThatDoesNotReadItsInputIsEnded() {
        String input = "x".repeat(1 << 20);
        assertThat(runner.run(List.of("sleep", "300"), input, SHORT)).isEqualTo(new TimedOut(SHORT));
        assertThat(runner.run(List.of("true"), input, LONG)).isEqualTo(new Exited(0, "", ""));
    }

    @Test
    void whateverEndsTheReadingEndsTheWait() {
        List<Throwable> thrown = List.of(
                new IOException("broken"), new IllegalStateException("broken"), new StackOverflowError("broken"));
        for (Throwable cause : thrown) {
            Streamed<String> read = runner.stream(List.of("echo", "text"), LONG, text -> {
                switch (cause) {
                    case IOException e -> throw e;
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    default -> throw new AssertionError(cause);
                }
            });
            assertThat(read.outcome()).isEqualTo(new Unread("broken"));
            assertThat(read.value()).isEmpty();
        }
    }

    @Test
    void tooMuchIsNamed() {
        assertThat(sh(LONG, "head -c 5000000 /dev/zero")).isEqualTo(tooMuch());
    }

    /** Reads all of 300 MB, as the agent once did, and goes on. */
    static final class Greedy {
        public static void main(String[] args) {
            CommandRunner runner = new SystemCommandRunner("/usr/bin:/bin");
            Streamed<String> read = runner.stream(List.of("head", "-c", "300000000", "/dev/zero"), LONG, text -> {
                StringBuilder all = new StringBuilder();
                for (int c = text.read(); c >= 0; c = text.read()) {
                    all.append((char) c);
                }
                return all.toString();
            });
            System.out.println(read.outcome());
            System.out.println(runner.run(List.of("echo", "goes on"), "", LONG));
        }
    }

    @Test
    void anOutputThatDoesNotFitTheHeapIsNamedAndTheNextCallWorks() {
        PackagedHeap.Run run = PackagedHeap.run(Greedy.class);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("Unread[why=it does not fit the memory of this process]", "goes on");
    }

    /** A real refusal of the kernel, EMFILE: this process has no file descriptors left for the pipes. */
    static final class WithoutFiles {
        public static void main(String[] args) throws IOException {
            CommandRunner runner = new SystemCommandRunner("/usr/bin:/bin");
            // loads the classes, which needs files too
            System.out.println(runner.run(List.of("/no/such/program"), "", LONG));
            String self = "" + ProcessHandle.current().pid();
            System.out.println(runner.run(List.of("prlimit", "--pid", self, "--nofile=2000:4096"), "", LONG));
            List<AutoCloseable> open = new ArrayList<>();
            try {
                while (open.size() < 4096) {
                    open.add(Files.newInputStream(Path.of("/dev/null")));
                }
            } catch (IOException e) {
                CommandRunner.Outcome outcome = runner.run(List.of("true"), "", LONG);
                for (AutoCloseable one : open) {
                    close(one);
                }
                System.out.println("without: " + outcome);
            }
            System.out.println("again: " + runner.run(List.of("true"), "", LONG));
        }

        private static void close(AutoCloseable one) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void whatTheKernelRefusesForNowIsNotMissing() {
        PackagedHeap.Run run = PackagedHeap.run(WithoutFiles.class);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("without: NotStarted\\[reason=.*Too many open files.*, missing=false]")
                .contains("again: Exited[code=0");
    }
}
