package net.ipmasq.dataplane;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Runs programs of this machine. */
public final class SystemCommandRunner implements CommandRunner {
    /** More than any tool prints that is not read as a stream. */
    private static final int MOST_TEXT = 4 * 1024 * 1024;

    /** A few calls run side by side with three threads each; more means that earlier ones hang beyond their limit. */
    private static final int MOST_THREADS = 60;

    private static final Pattern ENOENT = Pattern.compile("error[:=] ?2\\b");

    private final List<Path> path;
    private final AtomicInteger threads = new AtomicInteger();

    /**
     * @param path the directories to look in, separated as PATH is; the caller passes the environment's
     */
    public SystemCommandRunner(String path) {
        this.path = Arrays.stream(path.split(":"))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    @Override
    public boolean has(String program) {
        return path.stream()
                .map(directory -> directory.resolve(program))
                .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
    }

    @Override
    public Outcome run(List<String> argv, String stdin, Duration limit) {
        Streamed<String> streamed = call(argv, stdin, limit, SystemCommandRunner::whole);
        return streamed.outcome() instanceof Exited exited
                ? new Exited(exited.code(), streamed.value().orElse(""), exited.stderr())
                : streamed.outcome();
    }

    @Override
    public <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
        return call(argv, "", limit, reading);
    }

    private <T> Streamed<T> call(List<String> argv, String stdin, Duration limit, Reading<T> reading) {
        if (threads.get() > MOST_THREADS) {
            String why = "earlier calls still hang beyond their limit, with " + threads.get() + " threads";
            return new Streamed<>(new NotStarted(why, false), Optional.empty());
        }
        Streamed<T> streamed = new ToolCall<>(argv, stdin, reading, threads).within(limit);
        return streamed.outcome() instanceof NotStarted(String reason, boolean missing)
                        && ENOENT.matcher(reason).find()
                ? new Streamed<>(notFound(argv.getFirst(), reason), Optional.empty())
                : streamed;
    }

    /** The kernel reports the same for a script whose interpreter is missing, and for Java's own helper program. */
    private NotStarted notFound(String program, String reason) {
        return has(program)
                ? new NotStarted("the file exists, but something that it needs to start is missing: " + reason, false)
                : new NotStarted(reason, true);
    }

    private static String whole(Reader text) throws IOException {
        StringBuilder all = new StringBuilder();
        char[] some = new char[8192];
        for (int count = text.read(some); count >= 0; count = text.read(some)) {
            if (all.length() + count > MOST_TEXT) {
                throw new IOException("it printed more than " + MOST_TEXT / 1024 / 1024 + " MiB");
            }
            all.append(some, 0, count);
        }
        return all.toString();
    }
}
