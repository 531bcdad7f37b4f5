package net.ipmasq.config;

import static net.ipmasq.config.Problem.Severity.ERROR;
import static net.ipmasq.config.Problem.Severity.NOTE;
import static net.ipmasq.config.Problem.Severity.WARNING;

import java.util.Locale;

/**
 * Every code that a finding about a configuration or a profile can have. Scripts and alerts match on codes, so a constant is
 * never renamed.
 */
public enum ProblemCode {
    TEXT_TOO_LARGE(ERROR, "the text is larger than 1 MiB"),
    TEXT_NOT_UTF8(ERROR, "the text is not UTF-8"),
    TEXT_CONTROL_CHARACTER(ERROR, "the text holds a character that YAML and JSON forbid"),
    TEXT_NESTING(ERROR, "lists and mappings are nested more than 50 levels deep"),
    JSON_SYNTAX(ERROR, "the text starts with { and is neither JSON nor YAML"),
    YAML_SYNTAX(ERROR, "the text is not YAML"),
    YAML_TAB(ERROR, "a tab where YAML allows only spaces"),
    YAML_FLOW_COLON(ERROR, "an unquoted IPv6 CIDR that starts with :: inside [ ]"),
    YAML_ALIAS_UNKNOWN(ERROR, "an alias without an anchor before it"),
    YAML_ALIAS_EXPANSION(ERROR, "aliases that expand to too many values"),
    YAML_MERGE(ERROR, "a merge key << whose value is neither a mapping nor a list of mappings"),
    YAML_TAG(ERROR, "a tag such as !!binary, which has no meaning here"),
    MULTIPLE_DOCUMENTS(ERROR, "more than one YAML document"),
    TOP_LEVEL_LIST(ERROR, "a list where the keys belong"),
    TOP_LEVEL_SCALAR(ERROR, "a single value where the keys belong"),
    KEY_NOT_TEXT(ERROR, "a list or a mapping as a key"),
    DUPLICATE_KEY(ERROR, "the same key twice, in any case"),
    UNKNOWN_KEY(WARNING, "a key that has no meaning; it is ignored"),
    NO_KNOWN_KEY(ERROR, "a text with keys, none of which is known"),
    VALUE_NULL(WARNING, "a key without a value; it is treated as absent"),
    LIST_EMPTY(WARNING, "an empty list, which replaces the profile's list"),
    LIST_EXPECTED(ERROR, "another value where a list of CIDRs belongs"),
    ITEM_NULL(ERROR, "a list item without a value"),
    ITEM_NOT_STRING(ERROR, "a list item that is no text"),
    DUPLICATE_ITEM(WARNING, "the same CIDR twice in one list; it is kept once"),
    CIDR_EMPTY(ERROR, "an empty text where a CIDR belongs"),
    CIDR_NO_PREFIX(ERROR, "an address without a prefix length"),
    CIDR_LEADING_ZERO(ERROR, "a number with a leading zero"),
    CIDR_NETMASK(ERROR, "a netmask instead of a prefix length"),
    CIDR_PREFIX_INVALID(ERROR, "something other than a number as the prefix length"),
    CIDR_PREFIX_RANGE(ERROR, "a prefix length above 32 (IPv4) or 128 (IPv6)"),
    CIDR_HOST_BITS(ERROR, "an address with bits set after its prefix"),
    CIDR_ZONE(ERROR, "an IPv6 zone id"),
    CIDR_IPV4_MAPPED(ERROR, "an IPv4 address written as IPv6"),
    CIDR_DNS_NAME(ERROR, "a DNS name; names are not resolved"),
    CIDR_INVALID(ERROR, "a text that is no CIDR at all"),
    BOOL_QUOTED(ERROR, "true or false as quoted text"),
    BOOL_INVALID(ERROR, "another value where true or false belongs"),
    DURATION_NO_UNIT(ERROR, "a number without a unit where a duration belongs"),
    DURATION_INVALID(ERROR, "another value where a duration belongs"),
    DURATION_TOO_SHORT(WARNING, "an interval below 1s; 1s is used"),
    DURATION_TOO_LONG(WARNING, "an interval above 1h; 1h is used"),
    CIDR_LIMIT_INVALID(ERROR, "a cidrLimit that is no whole number of 1 or more"),
    CIDR_LIMIT(ERROR, "more CIDRs over all lists than the limit"),
    CIDR_OVERLAPS_ENFORCED(ERROR, "a masqueradeCIDR that overlaps one that the profile enforces"),
    CIDR_IN_BOTH_LISTS(WARNING, "a CIDR in both lists; it is masqueraded"),
    CIDR_SHADOWED(WARNING, "an entry that decides nothing, since another one does"),
    IPV6_OFF(WARNING, "an IPv6 CIDR where IPv6 is off; it is ignored"),
    FAMILY_LEFT_OUT(NOTE, "a list without IPv6, or without IPv4, that replaces a profile's list which has some"),
    POD_RANGE_MASQUERADED(WARNING, "a pod range of this node that no list keeps; only in a node's status"),
    CONFIG_KEY_MISSING(ERROR, "a ConfigMap with data but without the key config"),
    CONFIG_NOT_TEXT(ERROR, "a ConfigMap whose key config holds no text"),
    CONFIG_FOLDED(WARNING, "a config whose lines YAML joins to one, for example after '>'"),
    MANIFEST_DATA_EMPTY(WARNING, "a ConfigMap's manifest without any data"),
    MANIFEST_KEY_MISPLACED(ERROR, "a key where a ConfigMap has none, such as config outside of data"),
    MANIFEST_NOT_READ(WARNING, "a ConfigMap of another name or namespace than the one that the agent reads"),
    MANIFEST_IMMUTABLE(NOTE, "a ConfigMap that can never be edited"),
    MANIFEST_STRAY_DOCUMENT(WARNING, "a document beside the manifest that is no object"),
    MANIFEST_NO_CONFIG_MAP(ERROR, "a Kubernetes manifest without a ConfigMap"),
    MANIFEST_SEVERAL_CONFIGS(ERROR, "a manifest with several ConfigMaps that have config"),
    PROFILE_EMPTY(ERROR, "a profile without any key"),
    PROFILE_UNKNOWN_KEY(ERROR, "a key that profiles do not have"),
    PROFILE_MAPPING_EXPECTED(ERROR, "another value where a profile has a mapping"),
    PROFILE_TEXT_EXPECTED(ERROR, "another value where a profile has a text"),
    PROFILE_NAME_INVALID(ERROR, "a name of a profile, namespace or ConfigMap that cannot be one"),
    PROFILE_CHAIN_INVALID(ERROR, "a text that cannot name our chain"),
    PROFILE_IPV6_INVALID(ERROR, "an ipv6 mode other than on, off and auto"),
    PROFILE_PORTS_INVALID(ERROR, "a toPorts that is no list of port ranges");

    private final Problem.Severity severity;
    private final String meaning;

    ProblemCode(Problem.Severity severity, String meaning) {
        this.severity = severity;
        this.meaning = meaning;
    }

    /** As in {@link Problem#code}: the lower-case form with dashes. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        return valueOf(code.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    public Problem at(Position at, String path, String message, String fix) {
        return new Problem(severity, code(), at.line(), at.column(), path, message, fix);
    }
}
