package net.ipmasq.profile;

/**
 * Where an effective value comes from. Precedence: built-in, profile, flag or environment, config; enforced last.
 *
 * @param detail the profile's name, the flag, or the line of the configuration; empty for built-in
 */
public record Origin(Kind kind, String detail) {

    /** The places a value can come from, in rising precedence. */
    public enum Kind {
        BUILT_IN("built-in"),
        PROFILE("profile"),
        FLAG("flag"),
        CONFIG("config"),
        ENFORCED("enforced"),
        /** Taken from rules found in the kernel, when no usable configuration was ever seen. */
        KERNEL("kernel");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    public static final Origin BUILT_IN = new Origin(Kind.BUILT_IN, "");
    public static final Origin KERNEL = new Origin(Kind.KERNEL, "");

    public static Origin profile(String name) {
        return new Origin(Kind.PROFILE, name);
    }

    public static Origin flag(String flag) {
        return new Origin(Kind.FLAG, flag);
    }

    /** From the configuration text; {@code line} is 1-based. */
    public static Origin config(int line) {
        return new Origin(Kind.CONFIG, "line " + line);
    }

    public static Origin enforced(String profile) {
        return new Origin(Kind.ENFORCED, profile);
    }

    /** For people and JSON, for example {@code config line 7} or {@code profile cce}. */
    @Override
    public String toString() {
        return detail.isEmpty() ? kind.key() : kind.key() + " " + detail;
    }
}
