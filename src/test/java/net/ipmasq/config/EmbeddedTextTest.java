package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places of a large text inside a manifest, where each must not cost a walk over the whole. */
class EmbeddedTextTest {
    private static final int CIDRS = 50_000;

    /** One line of JSON, as programs write it; the last item is no CIDR. */
    private static String list(String comment) {
        return "{\"nonMasqueradeCIDRs\": ["
                + IntStream.range(0, CIDRS)
                        .mapToObj(i -> "\"10." + i / 256 + "." + i % 256 + ".0/24\"")
                        .collect(Collectors.joining(","))
                + ",\"10.0/8\"], \"" + comment + "\": 1}";
    }

    private static Problem last(String file) {
        return ManifestReader.check(file).problems().stream()
                .filter(problem -> problem.code().equals("cidr-invalid"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"note", "备注"})
    void everyPlaceOfALongQuotedTextIsExact(String comment) {
        String inner = list(comment);
        String file = "{\"kind\":\"ConfigMap\",\"data\":{\"config\":\"" + inner.replace("\"", "\\\"") + "\"}}";
        Problem problem = last(file);
        assertThat(problem.line()).isEqualTo(1);
        assertThat(problem.column()).isEqualTo(file.indexOf("\\\"10.0/8\\\"") + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"note", "备注"})
    void everyPlaceOfALongLineOfABlockIsExact(String comment) {
        String inner = list(comment);
        Problem problem = last("kind: ConfigMap\ndata:\n  config: |\n    " + inner + "\n");
        assertThat(problem.line()).isEqualTo(4);
        assertThat(problem.column()).isEqualTo(inner.indexOf("\"10.0/8\"") + 5);
    }

    /** YAML folds it: from the line break on there is no exact place. */
    @Test
    void aQuotedTextOverSeveralLinesIsPlacedAtItsStart() {
        Problem problem = ManifestReader.check(
                        "kind: ConfigMap\ndata:\n  config: \"cidrLimit: 7\\n\n    resyncInterval: 5\"\n")
                .problems()
                .getFirst();
        assertThat(problem.line() + ":" + problem.column()).isEqualTo("3:11");
    }
}
