package net.ipmasq.lab;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner;

/**
 * A runner of tests, which hands a whole text to a reading. Not for the agent: a text that is not read while it is printed
 * has to fit the memory of the process.
 */
public interface TextRunner extends CommandRunner {
    @Override
    default <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
        Outcome outcome = run(argv, "", limit);
        if (!(outcome instanceof Exited exited)) {
            return new Streamed<>(outcome, Optional.empty());
        }
        try {
            T value = reading.read(new StringReader(exited.stdout()));
            return new Streamed<>(new Exited(exited.code(), "", exited.stderr()), Optional.of(value));
        } catch (IOException e) {
            return new Streamed<>(new Unread(String.valueOf(e.getMessage())), Optional.empty());
        }
    }
}
