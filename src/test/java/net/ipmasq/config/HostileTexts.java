package net.ipmasq.config;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Big and wrong texts by name. Each takes a size in bytes and is no larger; the largest allowed is 1 MiB. */
enum HostileTexts {
    EMPTY_ITEMS(size -> head(size, "nonMasqueradeCIDRs:\n", "- \n")),
    ITEMS_OF_NO_CIDR(size -> head(size, "nonMasqueradeCIDRs:\n", "- x\n")),
    ITEMS_AT_THE_TOP(size -> head(size, "", "- \n")),
    ITEMS_OF_ANOTHER_KIND(size -> head(size, "masqueradeCIDRs:\n", "- {}\n")),
    ITEMS_OF_ITEMS(size -> head(size, "", "- ")),
    BRACKETS(size -> head(size, "", "[")),
    JSON_OBJECTS(size -> head(size, "", "{\"a\":")),
    ALIASES_OF_THEMSELVES(size -> head(size, "", "- &a *a\n")),
    LONG_ALIAS(size -> head(size, "masqOutBound: *", "a")),
    COMPLEX_KEYS(size -> head(size, "", "? \n")),
    NESTED_COMPLEX_KEYS(size -> head(size, "", "? ")),
    UNKNOWN_KEYS(size -> numbered(size, "masqOutBound: true\n", "nonMasquerade%07x: 1\n", "")),
    LISTS_AS_KEYS(size -> head(size, "", "? []\n")),
    KNOWN_KEY_AGAIN(size -> head(size, "", "masqOutBound: 1\n")),
    SAME_CIDR(size -> head(size, "nonMasqueradeCIDRs:\n", "- 10.0.0.0/8\n")),
    LONG_PLAIN(size -> head(size, "masqOutBound: ", "x")),
    LONG_NUMBER(size -> head(size, "resyncInterval: ", "1")),
    LONG_QUOTED(size -> head(size - 1, "nonMasqueradeCIDRs: [\"", "x") + "]"),
    LONG_KEY(size -> head(size - 3, "", "k") + ": 1"),
    ONLY_A_WORD(size -> head(size, "", "x")),
    INVISIBLE(size -> head(size, "nonMasqueradeCIDRs: [", "\u200b")),
    INVISIBLE_LINES(size -> head(size, "nonMasqueradeCIDRs:\n", "- \u00a0\u200b\n")),
    FULL_WIDTH_COLONS(size -> head(size, "masqLinkLocal: true\n", "masqOutBound\uff1atrue\n")),
    TABS(size -> head(size, "nonMasqueradeCIDRs: [", "\t")),
    TABS_THAT_SEPARATE(size -> head(size - 2, "nonMasqueradeCIDRs: [", "x,\t") + "]\n"),
    TABS_THAT_INDENT(size -> head(size, "nonMasqueradeCIDRs:\n", "\t- x\n")),
    TAGS(size -> head(size, "nonMasqueradeCIDRs:\n", "- !x y\n")),
    DOCUMENTS(size -> head(size, "", "---\nx\n")),
    EMPTY_DOCUMENTS(size -> head(size, "masqOutBound: true\n", "---\n")),
    COMMENTS(size -> head(size, "", "# :\n")),
    LINE_BREAKS(size -> head(size, "masqOutBound: \"", "\n")),
    EMOJI(size -> head(size, "masqOutBound: true\nx: [", "😀,")),
    ALIAS_BOMB(size -> bomb(size, "[*a%1$d, *a%1$d, *a%1$d, *a%1$d]", "[x]")),
    MERGE_BOMB(size -> bomb(size, "{<<: [*a%1$d, *a%1$d, *a%1$d, *a%1$d], k%1$d: 1}", "{x: 1}")),
    MERGES(size -> head(size, "a: &a {masqOutBound: true}\nb:\n", "- <<: *a\n")),
    MERGED_KEYS(size -> numbered(size, "a: &a {masqOutBound: true}\n", "b%07x:\n  <<: [*a, *a, 1]\n", "")),
    MANY_CIDRS_AND_A_CHINESE_KEY(size -> numbered(
            size,
            "{\"备注\": 1, \"cidrLimit\": 999999, \"nonMasqueradeCIDRs\": [\"::/0\"",
            ", \"%2$d.%3$d.%4$d.0/24\"",
            "]}")),
    SHADOWED(size -> numbered(
            size,
            "cidrLimit: 999999\nmasqueradeCIDRs: [0.0.0.0/0]\nnonMasqueradeCIDRs:\n",
            "- %2$d.%3$d.%4$d.0/24\n",
            "")),
    SHADOWED_IPV6(size -> numbered(
            size, "cidrLimit: 999999\nmasqueradeCIDRs: [\"::/0\"]\nnonMasqueradeCIDRs:\n", "- fd00::%x/128\n", ""));

    private final IntFunction<String> text;

    HostileTexts(IntFunction<String> text) {
        this.text = text;
    }

    String text(int size) {
        return text.apply(size);
    }

    private static int bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    }

    private static String head(int size, String head, String piece) {
        return head + piece.repeat((size - bytes(head)) / bytes(piece));
    }

    /** Pieces that differ; {@code %x} is the number, {@code %2$d} to {@code %4$d} its bytes. */
    private static String numbered(int size, String head, String piece, String tail) {
        StringBuilder text = new StringBuilder(head);
        int left = size - bytes(head) - bytes(tail);
        for (int i = 0; ; i++) {
            String next = String.format(piece, i, 11 + (i >> 16), i >> 8 & 255, i & 255);
            left -= bytes(next);
            if (left < 0) {
                return text + tail;
            }
            text.append(next);
        }
    }

    private static String bomb(int size, String level, String first) {
        String text = "a0: &a0 " + first + "\n"
                + IntStream.range(0, 40)
                        .mapToObj(i -> "a" + (i + 1) + ": &a" + (i + 1) + " " + String.format(level, i) + "\n")
                        .collect(Collectors.joining());
        return text + "#".repeat(Math.max(0, size - bytes(text)));
    }
}
