package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One finding about a bundle.
 *
 * @param error whether the bundle must not be installed
 * @param file path inside the bundle; empty for the whole
 * @param message what is wrong
 * @param fix what to do about it
 */
public record BundleFinding(boolean error, Code code, String file, String message, String fix) {

    /** The kinds of findings. */
    public enum Code {
        ARCHIVE_BROKEN,
        PATH_UNSAFE,
        ENTRY_NOT_REGULAR,
        FILE_TWICE,
        FILE_REQUIRED,
        FILE_UNREADABLE,
        CHECKSUMS_MISSING,
        CHECKSUM_MISMATCH,
        FILE_NOT_LISTED,
        FILE_MISSING,
        VERSION_INVALID,
        VERSIONS_DIFFER,
        VERSION_DOWNGRADE,
        VERSION_REUSED,
        VERSION_JUMP,
        VALUES_REFUSED,
        CHART_NOT_RENDERED,
        TEMPLATE_VARIES,
        CONFIG_INVALID,
        DIGEST_MISSING,
        DIGESTS_DIFFER,
        IMAGE_BY_TAG,
        PLATFORM_MISSING,
        RIGHT_UNDECLARED,
        RIGHT_GROWS,
        RULES_CHANGE,
        CHAIN_CHANGES,
        USER_TEMPLATE_CHANGED;

        /** The name in JSON and for people, stable. */
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** An error of this kind. */
        BundleFinding of(String file, String message, String fix) {
            return new BundleFinding(true, this, file, message, fix);
        }
    }

    BundleFinding asWarning() {
        return new BundleFinding(false, code, file, message, fix);
    }

    /** Whether none is an error. */
    public static boolean allFine(List<BundleFinding> findings) {
        return findings.stream().noneMatch(BundleFinding::error);
    }

    /** For other programs. */
    public Map<String, Object> document() {
        return object(
                "severity", error ? "error" : "warning",
                "code", code.key(),
                "file", file,
                "message", message,
                "fix", fix);
    }

    /** As the configuration's problems look: {@code error: file: message; fix [code]}. */
    public String oneLine() {
        // what a library said can end as a sentence
        String clause = message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
        return (error ? "error: " : "warning: ") + (file.isEmpty() ? "" : file + ": ") + clause + "; " + fix + " ["
                + code.key() + "]";
    }
}
