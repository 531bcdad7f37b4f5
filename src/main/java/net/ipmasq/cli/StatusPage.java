package net.ipmasq.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A status as the command {@code status} prints it. The agent renders it too, for a command that has to cost next to
 * nothing in the agent's own pod ({@link QuickStatus}).
 */
public final class StatusPage {
    private StatusPage() {}

    static String of(Map<String, Object> document, Output.Format format) {
        return Output.render(format, document, () -> StatusText.of(document));
    }

    /** The document as {@code text}, {@code json} or {@code yaml}; empty for other names. */
    public static Optional<String> of(Map<String, Object> document, String format) {
        return Arrays.stream(Output.Format.values())
                .filter(known -> known.name().equals(format.toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(known -> of(document, known));
    }
}
