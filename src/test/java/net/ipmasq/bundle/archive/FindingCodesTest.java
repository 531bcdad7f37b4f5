package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.docs.Docs;
import org.junit.jupiter.api.Test;

/** The codes that preflight gives are those of the document, both ways. */
class FindingCodesTest {
    private static final Pattern CODE = Pattern.compile("\"([A-Z][a-z]+([A-Z][a-z]+)*)\"");

    /** Kinds of objects, and a value of a label, look like codes. */
    private static final Set<String> OTHERS = Set.of(
            "Node",
            "DaemonSet",
            "ConfigMap",
            "Reconcile",
            "ServiceAccount",
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding");

    @Test
    void eachIsExplainedAndNoOther() throws IOException {
        Set<String> given = new TreeSet<>();
        for (Path source : Bundle.files(Path.of("src/main/java/net/ipmasq/bundle/cluster/preflight"))) {
            CODE.matcher(Bundle.text(source))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .filter(word -> !OTHERS.contains(word))
                    .forEach(given::add);
        }
        assertThat(given).hasSizeGreaterThan(15);
        assertThat(Docs.firstCells("addon-bundle/README.md", "## Before, without Helm, and after"))
                .isEqualTo(given);
    }
}
