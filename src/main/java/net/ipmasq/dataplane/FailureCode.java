package net.ipmasq.dataplane;

import java.util.Locale;

/** Why the kernel could not be read or written; names in JSON and metrics are the lower-case form with dashes. */
public enum FailureCode {
    TOOL_MISSING(true),
    /** A program is there, but could not be started: no free process, memory or file descriptor, no permission, or no interpreter. */
    TOOL_NOT_STARTED(false),
    /** What a tool printed is too large to be read. */
    OUTPUT_TOO_BIG(false),
    /** The kernel has no nat table for this family, or the family is switched off. */
    TABLE_MISSING(true),
    /** CAP_NET_ADMIN is missing. */
    NOT_PERMITTED(true),
    /** The table holds something that the tool cannot show. */
    UNREADABLE(false),
    /** Another process held the xtables lock beyond our wait. */
    LOCK_HELD(false),
    TIMEOUT(false),
    /** A tool refused what we gave it. */
    REJECTED(false),
    /** The kernel shows something else than what was just written. */
    NOT_VERIFIED(false);

    private final boolean lasting;

    FailureCode(boolean lasting) {
        this.lasting = lasting;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the node itself would have to change first, so that trying again soon does not help. */
    public boolean isLasting() {
        return lasting;
    }
}
