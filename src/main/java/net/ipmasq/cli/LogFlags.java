package net.ipmasq.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** Adds each {@link LogFlag} to a command that has {@link GoFlags}, in the spellings of Go's programs. */
final class LogFlags implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
        GoFlags goFlags = command.mixins().values().stream()
                .map(CommandSpec::userObject)
                .filter(GoFlags.class::isInstance)
                .map(GoFlags.class::cast)
                .findFirst()
                .orElseThrow();
        for (LogFlag flag : LogFlag.values()) {
            command.addOption(option(flag, goFlags.log));
        }
        return command;
    }

    private static OptionSpec option(LogFlag flag, Map<String, String> given) {
        OptionSpec.Builder option = OptionSpec.builder(flag.spellings())
                .type(String.class)
                .hidden(!flag.isShown())
                .paramLabel(flag.label())
                .description(flag.description())
                .setter(new Given(flag.key(), given));
        if (flag.isBool()) {
            option.arity("0..1").fallbackValue("true");
        } else {
            option.arity("1");
        }
        return option.build();
    }

    /** Keeps the value of one flag under its key; picocli sets null before it reads a line. */
    private record Given(String key, Map<String, String> given) implements ISetter {
        @Override
        @SuppressWarnings("unchecked") // all these options have the type String
        public <T> @Nullable T set(@Nullable T value) {
            return (T) (value == null ? given.remove(key) : given.put(key, value.toString()));
        }
    }
}
