package net.ipmasq.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No character of others may do anything to a terminal. */
class VisibleTest {
    @Test
    void whatIsSeenStaysAndWhatIsNotIsShown() {
        String plain = "-A X -m comment --comment \"größer 备注 \t~\" -j Y";
        assertThat(Visible.line(plain)).isSameAs(plain);
        assertThat(Visible.line("a\r\n\u001b[31mb\u0000\u007f\u0085\u009b\u202e\u2066\u200f"))
                .isEqualTo("a\\u000d \\u001b[31mb\\u0000\\u007f\\u0085\\u009b\\u202e\\u2066\\u200f");
        assertThat(Visible.lines("a\nb\rc\n")).isEqualTo("a\nb\\u000dc\n");
    }
}
