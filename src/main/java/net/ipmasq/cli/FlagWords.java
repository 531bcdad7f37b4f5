package net.ipmasq.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Words of a line that are no flags, but about one. Go takes the value of a bool after {@code =} only: in
 * {@code --enable-ipv6 false} it reads true, and then stops reading flags. The writer meant something else, and to guess
 * which of the two would be wrong for somebody: such a line is refused, with what to write.
 */
final class FlagWords {
    private static final Set<String> VALUES = Set.of("true", "false", "t", "f", "1", "0", "yes", "no", "on", "off");

    private FlagWords() {}

    /** The line with a value for each bool that stands without, so that picocli takes no other word for one. */
    static String[] complete(String... args) {
        String[] line = args.clone();
        for (int i = 0; i < line.length && !line[i].equals("--"); i++) {
            if (line[i].startsWith("-") && line[i].indexOf('=') < 0 && RunLine.isBool(RunLine.nameOf(line[i]))) {
                line[i] += "=true";
            }
        }
        return line;
    }

    /** What to write instead of a completed line that was refused, where the reason is a word about a flag. */
    static Optional<String> hint(String... completed) {
        for (int i = 0; i < completed.length && !completed[i].equals("--"); i++) {
            String word = completed[i];
            String before = i == 0 ? "" : completed[i - 1];
            String flag = RunLine.nameOf(before);
            if (before.startsWith("-")
                    && before.endsWith("=true")
                    && RunLine.isBool(flag)
                    && VALUES.contains(word.toLowerCase(Locale.ROOT))) {
                return Optional.of("--" + flag + " takes its value after '=' only: write --" + flag + "=" + word
                        + " (the Go agents read true there, and no flag behind it)");
            }
            if (!word.startsWith("-") && isFlagWithoutDashes(word, before)) {
                return Optional.of("'" + word + "' is a flag without its dashes: write --" + word);
            }
        }
        return Optional.empty();
    }

    private static boolean isFlagWithoutDashes(String word, String before) {
        boolean isValue = before.startsWith("-") && before.indexOf('=') < 0 && RunLine.isFlag(RunLine.nameOf(before));
        String name = RunLine.nameOf(word);
        // a word alone can be a command or an argument
        return !isValue && RunLine.isFlag(name) && (word.indexOf('=') >= 0 || name.matches(".*[-_].*"));
    }
}
