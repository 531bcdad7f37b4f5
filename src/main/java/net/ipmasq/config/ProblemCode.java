package net.ipmasq.config;

import static net.ipmasq.config.Problem.Severity.ERROR;
import static net.ipmasq.config.Problem.Severity.NOTE;
import static net.ipmasq.config.Problem.Severity.WARNING;

/** Every code that a finding about a configuration or a profile can have. Codes are stable: scripts and alerts match on them. */
public enum ProblemCode {
    TEXT_TOO_LARGE("text-too-large", ERROR, "the text is larger than 1 MiB"),
    TEXT_NOT_UTF8("text-not-utf8", ERROR, "the text is not UTF-8"),
    TEXT_CONTROL_CHARACTER("text-control-character", ERROR, "the text holds a character that YAML and JSON forbid"),
    TEXT_NESTING("text-nesting", ERROR, "lists and mappings are nested more than 50 levels deep"),
    JSON_SYNTAX("json-syntax", ERROR, "the text starts with { and is neither JSON nor YAML"),
    YAML_SYNTAX("yaml-syntax", ERROR, "the text is not YAML"),
    YAML_TAB("yaml-tab", ERROR, "a tab where YAML allows only spaces"),
    YAML_FLOW_COLON("yaml-flow-colon", ERROR, "an unquoted IPv6 CIDR that starts with :: inside [ ]"),
    YAML_ALIAS_UNKNOWN("yaml-alias-unknown", ERROR, "an alias without an anchor before it"),
    YAML_ALIAS_EXPANSION("yaml-alias-expansion", ERROR, "aliases that expand to too many values"),
    YAML_MERGE("yaml-merge", ERROR, "a merge key << whose value is neither a mapping nor a list of mappings"),
    YAML_TAG("yaml-tag", ERROR, "a tag such as !!binary, which has no meaning here"),
    MULTIPLE_DOCUMENTS("multiple-documents", ERROR, "more than one YAML document"),
    TOP_LEVEL_LIST("top-level-list", ERROR, "a list where the keys belong"),
    TOP_LEVEL_SCALAR("top-level-scalar", ERROR, "a single value where the keys belong"),
    KEY_NOT_TEXT("key-not-text", ERROR, "a list or a mapping as a key"),
    DUPLICATE_KEY("duplicate-key", ERROR, "the same key twice, in any case"),
    UNKNOWN_KEY("unknown-key", WARNING, "a key that has no meaning; it is ignored"),
    NO_KNOWN_KEY("no-known-key", ERROR, "a text with keys, none of which is known"),
    VALUE_NULL("value-null", WARNING, "a key without a value; it is treated as absent"),
    LIST_EMPTY("list-empty", WARNING, "an empty list, which replaces the profile's list"),
    LIST_EXPECTED("list-expected", ERROR, "another value where a list of CIDRs belongs"),
    ITEM_NULL("item-null", ERROR, "a list item without a value"),
    ITEM_NOT_STRING("item-not-string", ERROR, "a list item that is no text"),
    DUPLICATE_ITEM("duplicate-item", WARNING, "the same CIDR twice in one list; it is kept once"),
    CIDR_EMPTY("cidr-empty", ERROR, "an empty text where a CIDR belongs"),
    CIDR_NO_PREFIX("cidr-no-prefix", ERROR, "an address without a prefix length"),
    CIDR_LEADING_ZERO("cidr-leading-zero", ERROR, "a number with a leading zero"),
    CIDR_NETMASK("cidr-netmask", ERROR, "a netmask instead of a prefix length"),
    CIDR_PREFIX_INVALID("cidr-prefix-invalid", ERROR, "something other than a number as the prefix length"),
    CIDR_PREFIX_RANGE("cidr-prefix-range", ERROR, "a prefix length above 32 (IPv4) or 128 (IPv6)"),
    CIDR_HOST_BITS("cidr-host-bits", ERROR, "an address with bits set after its prefix"),
    CIDR_ZONE("cidr-zone", ERROR, "an IPv6 zone id"),
    CIDR_IPV4_MAPPED("cidr-ipv4-mapped", ERROR, "an IPv4 address written as IPv6"),
    CIDR_DNS_NAME("cidr-dns-name", ERROR, "a DNS name; names are not resolved"),
    CIDR_INVALID("cidr-invalid", ERROR, "a text that is no CIDR at all"),
    BOOL_QUOTED("bool-quoted", ERROR, "true or false as quoted text"),
    BOOL_INVALID("bool-invalid", ERROR, "another value where true or false belongs"),
    DURATION_NO_UNIT("duration-no-unit", ERROR, "a number without a unit where a duration belongs"),
    DURATION_INVALID("duration-invalid", ERROR, "another value where a duration belongs"),
    DURATION_TOO_SHORT("duration-too-short", WARNING, "an interval below 1s; 1s is used"),
    DURATION_TOO_LONG("duration-too-long", WARNING, "an interval above 1h; 1h is used"),
    CIDR_LIMIT_INVALID("cidr-limit-invalid", ERROR, "a cidrLimit that is no whole number of 1 or more"),
    CIDR_LIMIT("cidr-limit", ERROR, "more CIDRs over all lists than the limit"),
    CIDR_OVERLAPS_ENFORCED(
            "cidr-overlaps-enforced", ERROR, "a masqueradeCIDR that overlaps one that the profile enforces"),
    CIDR_IN_BOTH_LISTS("cidr-in-both-lists", WARNING, "a CIDR in both lists; it is masqueraded"),
    CIDR_SHADOWED("cidr-shadowed", WARNING, "an entry that decides nothing, since another one does"),
    IPV6_OFF("ipv6-off", WARNING, "an IPv6 CIDR where IPv6 is off; it is ignored"),
    FAMILY_LEFT_OUT(
            "family-left-out",
            NOTE,
            "a list without IPv6, or without IPv4, that replaces a profile's list which has some"),
    POD_RANGE_MASQUERADED(
            "pod-range-masqueraded", WARNING, "a pod range of this node that no list keeps; only in a node's status"),
    CONFIG_KEY_MISSING("config-key-missing", ERROR, "a ConfigMap with data but without the key config"),
    CONFIG_NOT_TEXT("config-not-text", ERROR, "a ConfigMap whose key config holds no text"),
    CONFIG_FOLDED("config-folded", WARNING, "a config whose lines YAML joins to one, for example after '>'"),
    MANIFEST_DATA_EMPTY("manifest-data-empty", WARNING, "a ConfigMap's manifest without any data"),
    MANIFEST_KEY_MISPLACED(
            "manifest-key-misplaced", ERROR, "a key where a ConfigMap has none, such as config outside of data"),
    MANIFEST_NOT_READ(
            "manifest-not-read", WARNING, "a ConfigMap of another name or namespace than the one that the agent reads"),
    MANIFEST_IMMUTABLE("manifest-immutable", NOTE, "a ConfigMap that can never be edited"),
    MANIFEST_STRAY_DOCUMENT("manifest-stray-document", WARNING, "a document beside the manifest that is no object"),
    MANIFEST_NO_CONFIG_MAP("manifest-no-config-map", ERROR, "a Kubernetes manifest without a ConfigMap"),
    MANIFEST_SEVERAL_CONFIGS("manifest-several-configs", ERROR, "a manifest with several ConfigMaps that have config"),
    PROFILE_EMPTY("profile-empty", ERROR, "a profile without any key"),
    PROFILE_UNKNOWN_KEY("profile-unknown-key", ERROR, "a key that profiles do not have"),
    PROFILE_MAPPING_EXPECTED("profile-mapping-expected", ERROR, "another value where a profile has a mapping"),
    PROFILE_TEXT_EXPECTED("profile-text-expected", ERROR, "another value where a profile has a text"),
    PROFILE_NAME_INVALID(
            "profile-name-invalid", ERROR, "a name of a profile, namespace or ConfigMap that cannot be one"),
    PROFILE_CHAIN_INVALID("profile-chain-invalid", ERROR, "a text that cannot name our chain"),
    PROFILE_IPV6_INVALID("profile-ipv6-invalid", ERROR, "an ipv6 mode other than on, off and auto"),
    PROFILE_PORTS_INVALID("profile-ports-invalid", ERROR, "a toPorts that is no list of port ranges");

    private final String code;
    private final Problem.Severity severity;
    private final String meaning;

    ProblemCode(String code, Problem.Severity severity, String meaning) {
        this.code = code;
        this.severity = severity;
        this.meaning = meaning;
    }

    /** As in {@link Problem#code}. */
    public String code() {
        return code;
    }

    public Problem.Severity severity() {
        return severity;
    }

    /** One line for the documentation. */
    public String meaning() {
        return meaning;
    }

    /**
     * The constant of a code.
     *
     * @throws IllegalArgumentException for a code that is not listed here
     */
    public static ProblemCode of(String code) {
        for (ProblemCode candidate : values()) {
            if (candidate.code.equals(code)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("no such problem code: " + code);
    }

    /** A finding with this code. */
    public Problem at(Position at, String path, String message, String fix) {
        return new Problem(severity, code, at.line(), at.column(), path, message, fix);
    }
}
