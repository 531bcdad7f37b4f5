package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.app.Assembly;
import net.ipmasq.json.JsonReader;
import net.ipmasq.json.JsonText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Commands that look at texts only, without Quarkus and without a kernel. */
class CliTest {
    @TempDir
    Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** An empty configuration. */
    private String none() {
        try {
            return file("none.yaml", "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new Cli(Assembly.ofThisMachine(), (settings, log) -> 99)
                .to(new PrintWriter(out), new PrintWriter(err))
                .execute(args);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    @Test
    void checkShowsEveryProblemWithPlaceAndFix() throws IOException {
        String file = file("bad.yaml", "nonMasqueradeCIDRs:\n  - 10.1.2.3/8\n  - 10.0.0.0\nmasqOutBound: \"true\"\n");
        assertThat(run("check", file)).isEqualTo(3);
        assertThat(out.toString())
                .contains(file + ": line 2, column 5: error: nonMasqueradeCIDRs[0]")
                .contains("write 10.0.0.0/8")
                .contains("line 3, column 5")
                .contains("line 4")
                .contains("NOT valid, 3 errors, no warnings");
    }

    @Test
    void checkShowsTheFirstHundredAndCountsTheRest() throws IOException {
        String file = file("many.yaml", "nonMasqueradeCIDRs:\n" + "- 10.0.0.0/8\n".repeat(300) + "- x\n".repeat(150));
        assertThat(run("check", file)).isEqualTo(3);
        assertThat(out.toString().lines())
                .hasSize(102)
                .contains(
                        file + ": and 50 errors and 299 warnings more, which are not shown",
                        file + ": NOT valid, 150 errors, 299 warnings");
        assertThat(run("check", file, "-o", "json")).isEqualTo(3);
        Map<String, Object> json = JsonReader.object(out.toString());
        assertThat(json.keySet()).containsExactly("valid", "problems", "omitted");
        assertThat((List<?>) json.get("problems")).hasSize(100);
        assertThat(json).containsEntry("omitted", Map.of("errors", 50L, "warnings", 299L));
        assertThat(run("check", file, "-o", "yaml")).isEqualTo(3);
        assertThat((Map<?, ?>) new Yaml().load(out.toString()))
                .extracting("omitted")
                .isEqualTo(Map.of("errors", 50, "warnings", 299));
    }

    /** The hundred hold warnings only, and errors are none: valid however many warnings there are. */
    @Test
    void checkGoesByAllFindings() throws IOException {
        String warnings = "nonMasqueradeCIDRs:\n- fc00::/7\n" + "- 10.0.0.0/8\n".repeat(300);
        assertThat(run("check", file("warnings.yaml", warnings))).isZero();
        assertThat(out.toString()).contains("valid, 299 warnings").contains("and 199 warnings more");
        assertThat(run("check", file("few.yaml", "masqOutBond: true\nmasqOutBound: true\n"), "-o", "json"))
                .isZero();
        assertThat(JsonReader.object(out.toString())).doesNotContainKey("omitted");
    }

    @Test
    void checkGivesTheJsonThatOthersBuildOn() throws IOException {
        assertThat(run("check", file("bad.yaml", "nonMasqueradeCIDRs: [10.1.2.3/8]"), "-o", "json"))
                .isEqualTo(3);
        Map<String, Object> document = JsonReader.object(out.toString());
        assertThat(document).containsEntry("valid", false);
        assertThat(((List<?>) document.get("problems")).getFirst())
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsOnlyKeys("severity", "code", "line", "column", "path", "message", "fix")
                .containsEntry("severity", "error")
                .containsEntry("code", "cidr-host-bits")
                .containsEntry("line", 1L)
                .containsEntry("path", "nonMasqueradeCIDRs[0]");
    }

    @Test
    void aNoteIsCountedApartAndLeavesTheTextValid() throws IOException {
        String file = file("note.yaml", "nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        assertThat(run("check", file)).isEqualTo(0);
        assertThat(out.toString())
                .contains(file + ": line 1, column 1: note: nonMasqueradeCIDRs: ", "add the line '- fc00::/7'")
                .contains(file + ": valid, no warnings, 1 note\n");
        assertThat(run("check", "-o", "json", file)).isEqualTo(0);
        assertThat(JsonReader.object(out.toString())).containsEntry("valid", true);
        assertThat(out.toString()).contains("\"severity\" : \"note\"");
    }

    @Test
    void checkShowsValuesInForceWithTheirOrigin() throws IOException {
        assertThat(run("check", file("good.yaml", "masqOutBound: false\n"))).isEqualTo(0);
        assertThat(out.toString())
                .contains("valid, no warnings")
                .containsPattern("masqOutBound +false +config line 1")
                .containsPattern("100.64.230.0/24 +profile cce")
                .containsPattern("resyncInterval +1m +built-in");
    }

    @Test
    void checkJudgesAWholeManifest() throws IOException {
        String manifest = """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: cce-ip-masq-agent
                data:
                  config: |
                    nonMasqueradeCIDRs:
                      - 10.1.2.3/8
                """;
        assertThat(run("check", file("cm.yaml", manifest))).isEqualTo(3);
        assertThat(out.toString()).contains("line 8, column 9");
    }

    @Test
    void checkNamesAConfigMapThatTheAgentDoesNotRead() throws IOException {
        String manifest = "kind: ConfigMap\nmetadata: {name: ip-masq-agent}\ndata: {config: \"masqOutBound: true\"}\n";
        String file = file("other.yaml", manifest);
        assertThat(run("check", file)).isEqualTo(0);
        assertThat(out.toString()).contains("manifest-not-read", "kube-system/cce-ip-masq-agent", "valid, 1 warning\n");
        assertThat(run("check", "--profile", "upstream", file)).isEqualTo(0);
        assertThat(out.toString()).contains("valid, no warnings");
    }

    @Test
    void checkSaysWhichObjectOfAFileItHasJudged() throws IOException {
        String ours = "kind: ConfigMap\nmetadata: {name: cce-ip-masq-agent}\ndata: {config: \"masqOutBound: true\"}\n";
        String file = file("two.yaml", "apiVersion: v1\nkind: Service\n---\n" + ours);
        assertThat(run("check", file)).isEqualTo(0);
        assertThat(out.toString())
                .contains(file + ": checked is the ConfigMap cce-ip-masq-agent on line 4\n", "valid, no warnings");
        assertThat(run("check", "-o", "json", file)).isEqualTo(0);
        assertThat(JsonReader.object(out.toString())).containsEntry("judged", "ConfigMap cce-ip-masq-agent on line 4");
    }

    @Test
    void checkSaysThatAnEmptyTextMeansTheProfile() throws IOException {
        assertThat(run("check", file("empty.yaml", ""))).isEqualTo(0);
        assertThat(out.toString()).contains("no configuration; profile in use");
    }

    @Test
    void aFileThatIsNotThereIsBadUsage() {
        assertThat(run("check", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("none");
    }

    @Test
    void renderPrintsWhatTheToolGets() throws IOException {
        String config =
                file("c.yaml", "nonMasqueradeCIDRs: [10.0.0.0/8, \"fc00::/7\"]\nmasqueradeCIDRs: [10.9.0.0/16]");
        assertThat(run("render", "--config", config)).isEqualTo(0);
        assertThat(out.toString())
                .contains("# IPv4", "# IPv6", "*nat\n:IP-MASQ-AGENT - [0:0]\n", "COMMIT\n")
                .contains("-A IP-MASQ-AGENT -d 10.9.0.0/16 -m comment")
                .contains("-A IP-MASQ-AGENT -d fc00::/7 -m comment");
        assertThat(out.toString().indexOf("10.9.0.0/16"))
                .isLessThan(out.toString().indexOf("169.254.0.0/16"))
                .isLessThan(out.toString().indexOf("10.0.0.0/8"));
    }

    @Test
    void renderTakesTheGoAgentsFlags() {
        assertThat(run("render", "--config", none(), "-masq-chain=OTHER", "--random-fully"))
                .isEqualTo(0);
        assertThat(out.toString()).contains(":OTHER - [0:0]").contains("-j MASQUERADE --random-fully");
        assertThat(run("render", "--config", none(), "--enable-ipv6=false")).isEqualTo(0);
        assertThat(out.toString()).doesNotContain("IPv6");
    }

    @Test
    void renderOfAnInvalidTextSaysWhy() throws IOException {
        assertThat(run("render", "--config", file("bad.yaml", "[1]"))).isEqualTo(3);
        assertThat(err.toString()).contains("top-level-list");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void profileShowsTheTableOfProviders() {
        assertThat(run("profile", "list")).isEqualTo(0);
        assertThat(out.toString()).contains("cce", "upstream", "gke");
        assertThat(run("profile", "show", "gke")).isEqualTo(0);
        assertThat(out.toString()).contains("chain: \"IP-MASQ\"\n", "240.0.0.0/4");
        assertThat(run("profile", "show", "nosuch")).isEqualTo(2);
        assertThat(err.toString()).contains("nosuch", "cce");
        assertThat(run("profile")).isEqualTo(2);
    }

    @Test
    void outputAsYamlHoldsTheSameAsJson() throws IOException {
        String file = file("good.yaml", "masqOutBound: false\n");
        run("check", file, "-o", "json");
        Map<String, Object> json = JsonReader.object(out.toString());
        run("check", file, "-o", "yaml");
        Map<String, Object> yaml = new Yaml().load(out.toString());
        assertThat(JsonReader.object(JsonText.pretty(yaml))).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "check",
                "plan",
                "render",
                "explain",
                "status",
                "cleanup",
                "profile",
                "profile list",
                "profile show"
            })
    void everyCommandHasHelpWithAnExample(String command) {
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        args.add("--help");
        assertThat(run(args.toArray(String[]::new))).isEqualTo(0);
        assertThat(out.toString()).contains("Example:", "ip-masq-agent " + command);
    }

    @Test
    void completionIsAScriptThatKnowsTheCommands() {
        assertThat(run("generate-completion")).isEqualTo(0);
        assertThat(out.toString()).contains("#!/usr/bin/env bash", "explain", "cleanup");
    }

    @Test
    void mistakesAreBadUsage() {
        assertThat(run("explode")).isEqualTo(2);
        assertThat(run("explain", "not-an-address")).isEqualTo(2);
        assertThat(err.toString()).contains("not-an-address");
        assertThat(run("check", "-o", "xml", "x")).isEqualTo(2);
        assertThat(run("--version")).isEqualTo(0);
        assertThat(out.toString()).contains("ip-masq-agent ");
    }

    @Test
    void runHandsItsSettingsToTheService() {
        assertThat(run("run", "--profile", "gke")).isEqualTo(99);
    }

    @Test
    void theLastOfARepeatedFlagHoldsAsInGo() {
        assertThat(run("render", "--config", none(), "--masq-chain=ONE", "--masq-chain=TWO"))
                .isEqualTo(0);
        assertThat(out.toString()).contains(":TWO - [0:0]").doesNotContain("ONE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                ::ffff:10.0.0.1 | is an IPv4-mapped IPv6 address; write 10.0.0.1
                fe80::1%eth0    | has a zone id; write fe80::1
                010.1.1.1       | has a leading zero, which some tools read as octal; write 10.1.1.1
                example.com     | is a DNS name; names are not resolved here; write the addresses it stands for
                10.0.0.0/8      | is a range, not an address; write one address of it, such as 10.0.0.0
                1.2.3           | is not an IP address; write one such as 10.1.2.3 or 2001:db8::1
                """)
    void explainSaysWhatIsWrongWithAnAddress(String address, String what) {
        assertThat(run("explain", address)).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("ip-masq-agent: '" + address + "' " + what);
    }

    @Test
    void filesThatCannotBeReadAreExplainedWithoutJavasWords() {
        assertThat(run("check", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no such file").doesNotContain("Exception");
        assertThat(run("check", dir.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("s a directory").doesNotContain("Exception");
        assertThat(run("profile", "show", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no such file").doesNotContain("Exception");
    }

    @Test
    void aManifestThatHasItsConfigurationTwiceIsNotGuessedAt() throws IOException {
        String head = "apiVersion: v1\nkind: ConfigMap\ndata:\n  config: 'masqOutBound: true'\n";
        assertThat(run("check", file("config-twice.yaml", head + "  config: 'masqOutBound: false'\n")))
                .isEqualTo(3);
        assertThat(out.toString()).contains("line 5", "[duplicate-key]");
        assertThat(run("check", file("data-twice.yaml", head + "data:\n  config: 'masqOutBound: false'\n")))
                .isEqualTo(3);
        assertThat(out.toString()).contains("line 5", "[duplicate-key]");
    }

    @Test
    void anEmptyListOfConfigMapsIsNoConfiguration() throws IOException {
        assertThat(run("check", file("none.yaml", "apiVersion: v1\nkind: ConfigMapList\nitems: []\n")))
                .isEqualTo(3);
        assertThat(out.toString()).contains("'ConfigMapList'", "[manifest-no-config-map]");
    }

    /** A wrong name must not look as if there were no configuration. */
    @ParameterizedTest
    @ValueSource(strings = {"plan", "render", "explain 8.8.8.8"})
    void aNamedFileThatIsNotThereIsBadUsage(String command) {
        List<String> line = new ArrayList<>(List.of(command.split(" ")));
        line.addAll(List.of("--config", dir.resolve("typo.yaml").toString()));
        assertThat(run(line.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no file", "typo.yaml");
    }
}
