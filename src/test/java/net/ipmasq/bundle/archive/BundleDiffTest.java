package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.BundleCli;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an upgrade changes, from this bundle to one made of a differing copy. */
@Slow
class BundleDiffTest {
    private static final String PROFILE = "chart/files/profiles/cce.yaml";

    @TempDir
    Path dir;

    private BundleCli diff(Consumer<BundleCopy> change) {
        BundleCopy next = BundleCopy.in(dir).version("9.9.9");
        change.accept(next);
        return diff(Bundle.ROOT, next.root());
    }

    private static BundleCli diff(Path before, Path after) {
        BundleCli run = BundleCli.run("diff", before, after, "-o", "json");
        assertThat(run.code()).as(run.toString()).isIn(0, 1);
        assertThat(run.json()).containsEntry("safe", run.code() == 0);
        return run;
    }

    private static List<Object> list(BundleCli run, Object... path) {
        return Bundle.list(Bundle.at(run.json(), path).orElseThrow());
    }

    @Test
    void aNewVersionAloneIsSafe() {
        BundleCli run = diff(next -> {});
        assertThat(run.code()).isZero();
        assertThat(run.json()).containsEntry("from", Bundle.version()).containsEntry("to", "9.9.9");
        assertThat(run.findings("reasons")).isEmpty();
        for (String key : List.of("rules", "defaults", "images")) {
            assertThat(list(run, key)).isEmpty();
        }
    }

    @Test
    void archivesAreComparedAsDirectoriesAre() {
        Path old = BundleCli.build(
                Bundle.ROOT, dir.resolve("old"), "--image", new FakeImage("old").tar(dir.resolve("old.tar")));
        Path now = BundleCli.build(
                BundleCopy.in(dir).version("9.9.9").root(),
                dir.resolve("now"),
                "--image",
                new FakeImage("new").tar(dir.resolve("new.tar")));
        BundleCli run = diff(old, now);
        assertThat(run.code()).isZero();
        assertThat(Bundle.map(list(run, "images").getFirst()))
                .containsEntry("path", "ip-masq-agent")
                .containsEntry("from", "\"ip-masq-agent@" + new FakeImage("old").digest + "\"")
                .containsEntry("to", "\"ip-masq-agent@" + new FakeImage("new").digest + "\"");
        assertThat(list(run, "defaults").stream()
                        .map(change -> Bundle.map(change).get("path")))
                .containsExactly("image.digest");
    }

    @Test
    void aRightMoreIsNotSafe() {
        BundleCli run = diff(next -> next.replace("chart/templates/rbac.yaml", "verbs: [get]\n", "verbs: [get, list]\n")
                .replace("chart/templates/daemonset.yaml", "\"NET_RAW\"]", "\"NET_RAW\", \"SYS_ADMIN\"]"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.findings("reasons")).containsExactly("right-grows addon.yaml");
        assertThat(list(run, "rights", "added")).containsExactly("capability: SYS_ADMIN", "cluster: list nodes");
    }

    /** An add-on manager asks people for what is declared, whether the chart uses it or not. */
    @Test
    void aDeclaredRightMoreIsNotSafe() {
        BundleCli run = diff(next -> next.replace(
                "addon.yaml",
                "    - kind: capability\n      name: NET_RAW\n",
                "    - {kind: capability, name: SYS_ADMIN}\n    - kind: capability\n      name: NET_RAW\n"));
        assertThat(list(run, "rights", "added")).containsExactly("capability: SYS_ADMIN");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void aRightLessIsSafe() {
        BundleCli run = diff(next -> next.replace("chart/templates/daemonset.yaml", ", \"NET_RAW\"]", "]"));
        assertThat(list(run, "rights", "removed")).containsExactly("capability: NET_RAW");
        assertThat(run.code()).isZero();
    }

    /** Only where the profile decides: an example that writes the list itself keeps its rules. */
    @Test
    void rulesOfAnUnchangedConfigurationAreCompared() {
        BundleCli run = diff(next ->
                next.replace(PROFILE, "    - 192.168.0.0/16\n", "    - 192.168.0.0/16\n    - 203.0.113.0/24\n"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.findings("reasons")).containsOnly("rules-change addon.yaml");
        Map<String, Object> first = Bundle.map(list(run, "rules").getFirst());
        assertThat(first).containsEntry("case", "defaults").containsEntry("removed", List.of());
        assertThat(Bundle.list(first.get("added")))
                .singleElement()
                .asString()
                .contains("-d 203.0.113.0/24")
                .contains("RETURN");
        assertThat(list(run, "rules").stream().map(change -> Bundle.map(change).get("case")))
                .contains("profile cce", "example podmonitor")
                .doesNotContain("example node-identity", "example gke", "profile upstream");
    }

    @Test
    void anotherChainIsNotSafe() {
        BundleCli run =
                diff(next -> next.replace(PROFILE, "name: cce\nconfigMap", "name: cce\nchain: OTHER\nconfigMap"));
        assertThat(run.findings("reasons")).containsOnly("chain-changes addon.yaml");
        assertThat(Bundle.map(list(run, "rules").getFirst()))
                .containsEntry("chain", Map.of("from", "IP-MASQ-AGENT", "to", "OTHER"))
                .containsEntry("added", List.of());
    }

    @Test
    void anotherDefaultIsShown() {
        BundleCli run = diff(next -> next.replace("chart/values.yaml", "logFormat: text", "logFormat: json"));
        assertThat(run.code()).isZero();
        assertThat(Bundle.map(list(run, "defaults").getFirst()))
                .containsEntry("path", "agent.logFormat")
                .containsEntry("from", "\"text\"")
                .containsEntry("to", "\"json\"");
    }

    @Test
    void anotherTemplateOfTheUsersConfigMapIsNotSafe() {
        BundleCli run = diff(next -> next.replace(BundleFiles.USER_TEMPLATE, "Yours to edit", "Yours"));
        assertThat(run.findings("reasons")).containsExactly("user-template-changed " + BundleFiles.USER_TEMPLATE);
    }

    @Test
    void aRefusedValueIsNotSafe() {
        BundleCli run = diff(next -> next.replace("chart/values.schema.json", "\"OnDelete\"", "\"Never\""));
        assertThat(run.findings("reasons")).containsExactly("values-refused examples/canary.yaml");
    }

    @Test
    void backwardsIsNotSafe() {
        Path next = BundleCopy.in(dir).version("9.9.9").root();
        assertThat(diff(next, Bundle.ROOT).findings("reasons")).containsExactly("version-downgrade addon.yaml");
    }

    @Test
    void peopleGetItAsText() {
        Path next = BundleCopy.in(dir)
                .version("9.9.9")
                .replace(PROFILE, "    - 172.16.0.0/12\n", "    - 203.0.113.0/24\n")
                .replace("chart/values.yaml", "logFormat: text", "logFormat: json")
                .root();
        BundleCli run = BundleCli.run("diff", Bundle.ROOT, next);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .startsWith(Bundle.version() + " -> 9.9.9\n")
                .contains("rules, defaults:\n  - IPv4: -A IP-MASQ-AGENT -d 172.16.0.0/12")
                .contains("  + IPv4: -A IP-MASQ-AGENT -d 203.0.113.0/24")
                .contains("agent.logFormat: \"text\" -> \"json\"")
                .contains("NOT safe:\n")
                .contains("[rules-change]");
    }
}
