package net.ipmasq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The hosted workflow runs what a person runs, with no more rights than to read. */
class WorkflowTest {
    private static final Path FILE = Path.of(".github", "workflows", "ci.yml");

    private static Map<?, ?> workflow() throws IOException {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FILE));
    }

    private static Map<?, ?> map(Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<?, ?>) value;
    }

    private static List<? extends Map<?, ?>> steps() throws IOException {
        Map<?, ?> job = map(map(workflow().get("jobs")).get("test"));
        return ((List<?>) job.get("steps")).stream().map(WorkflowTest::map).toList();
    }

    @Test
    void itEndsWithWhatAPersonRuns() throws IOException {
        assertThat(steps().getLast().get("run")).isEqualTo(".ci/run");
        assertThat(Path.of(".ci", "run")).isExecutable().content().contains("\n./dev test\n", "\n./dev test native\n");
    }

    @Test
    void itMayReadOnlyAndEnds() throws IOException {
        Map<?, ?> workflow = workflow();
        assertThat(workflow.get("permissions")).isEqualTo(Map.of("contents", "read"));
        map(workflow.get("jobs")).values().stream().map(WorkflowTest::map).forEach(job -> {
            assertThat(job.get("permissions")).isNull();
            assertThat((Integer) job.get("timeout-minutes")).isBetween(1, 90);
        });
    }

    @Test
    void actionsHaveVersionsAndTheCacheFollowsTheScript() throws IOException {
        List<String> actions = steps().stream()
                .filter(step -> step.containsKey("uses"))
                .map(step -> step.get("uses").toString())
                .toList();
        assertThat(actions).hasSize(3).allMatch(action -> action.matches("actions/[a-z-]+@v\\d+\\.\\d+\\.\\d+"));
        Map<?, ?> java = map(steps().get(2).get("with"));
        assertThat(java.get("distribution")).isEqualTo("temurin");
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<maven.compiler.release>" + java.get("java-version") + "</maven.compiler.release>");
        assertThat(map(steps().get(3).get("with")).get("key").toString())
                .contains("hashFiles('scripts/kube-apiserver.sh')");
    }
}
