package net.ipmasq.bundle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import net.ipmasq.agent.AgentVersion;
import net.ipmasq.app.Assembly;
import net.ipmasq.cli.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of the two programs has which command of bundle, and what each calls itself. */
class ProgramsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int agent(String... args) {
        return new Cli(Assembly.ofThisMachine(), (settings, log) -> 99, new AgentBundleCommand())
                .to(new PrintWriter(out), new PrintWriter(err))
                .execute(args);
    }

    private int fleet(String... args) {
        return Fleet.program()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"build", "verify", "render", "diff", "preflight", "apply"})
    void theAgentSaysWhichProgramHasTheCommand(String command) {
        assertThat(fleet("bundle", command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: ip-masq-fleet bundle " + command);
        assertThat(agent("bundle", command, "--out", "directory", "file")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("ip-masq-agent: 'bundle " + command + "'")
                .contains("ip-masq-fleet", "./dev fleet bundle " + command);
    }

    @Test
    void bothHaveWhatTheUninstallRunsFromTheAgentsImage() {
        assertThat(agent("bundle", "cleanup-nodes", "--help")).isZero();
        assertThat(out.toString())
                .contains("Usage: ip-masq-agent bundle cleanup-nodes", "Example: ip-masq-agent bundle cleanup-nodes");
        out.getBuffer().setLength(0);
        assertThat(fleet("bundle", "cleanup-nodes", "--help")).isZero();
        assertThat(out.toString())
                .contains("Usage: ip-masq-fleet bundle cleanup-nodes", "Example: ip-masq-fleet bundle cleanup-nodes");
    }

    /** It acts on the cluster of the current context, so nothing that it does not know may stand beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "--dry-run", "--contxt=prod", "-n"})
    void nothingIsRemovedOnAnArgumentThatIsNotKnown(String arguments) {
        String[] command = Stream.concat(
                        Stream.of("bundle", "cleanup-nodes", "--kubeconfig=/nowhere"), Stream.of(arguments))
                .toArray(String[]::new);
        assertThat(agent(command)).isEqualTo(2);
        assertThat(fleet(command)).isEqualTo(2);
        assertThat(err.toString())
                .contains("ip-masq-agent: Un", "ip-masq-fleet: Un")
                .doesNotContain("/nowhere");
    }

    @Test
    void eachErrorBeginsWithTheNameOfItsProgram() {
        assertThat(agent("bundle", "cleanup-nodes", "--timeout", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("ip-masq-agent: --timeout 0");
        err.getBuffer().setLength(0);
        assertThat(fleet("bundle", "cleanup-nodes", "--timeout", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("ip-masq-fleet: --timeout 0");
    }

    @Test
    void bundleAloneIsNoCommand() {
        assertThat(agent("bundle")).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: ip-masq-agent bundle", "cleanup-nodes");
        err.getBuffer().setLength(0);
        assertThat(fleet("bundle")).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: ip-masq-fleet bundle", "preflight");
    }

    @Test
    void aWordThatIsNoCommandIsAnsweredByThoseThatAre() {
        assertThat(agent("nonsense")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("ip-masq-agent: 'nonsense' is no command; ip-masq-agent has run, check, plan")
                .hasLineCount(1);
        err.getBuffer().setLength(0);
        assertThat(fleet("bundle", "nonsense", "--json")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("ip-masq-fleet: 'nonsense' is no command; ip-masq-fleet bundle has build")
                .hasLineCount(1);
    }

    @Test
    void versionsAndCompletionsAreOfTheirPrograms() {
        assertThat(agent("--version")).isZero();
        assertThat(fleet("--version")).isZero();
        assertThat(out.toString().lines())
                .containsExactly("ip-masq-agent " + AgentVersion.TEXT, "ip-masq-fleet " + AgentVersion.TEXT);
        out.getBuffer().setLength(0);
        assertThat(fleet("generate-completion")).isZero();
        assertThat(out.toString()).contains("ip-masq-fleet", "preflight");
    }
}
