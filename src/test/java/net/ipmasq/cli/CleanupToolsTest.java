package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clean-up whose tools cannot be started knows nothing of what is there, and says so. */
@NeedsKernel
class CleanupToolsTest {
    @TempDir
    private Path dir;

    private void tool(String name, String text) throws IOException {
        Path file = Files.writeString(dir.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private AgentProcess.Result cleanup(NetNs ns) throws IOException {
        List<String> argv = new ArrayList<>();
        argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        argv.addAll(PackagedHeap.flags());
        argv.addAll(List.of("-cp", System.getProperty("java.class.path"), "net.ipmasq.app.Main", "cleanup"));
        argv.addAll(List.of("--state-dir", dir.resolve("state").toString()));
        return AgentProcess.runCommand(ns, Map.of("PATH", dir.toString()), argv);
    }

    @Test
    void onlyToolsThatAreNotThereMeanThatNothingIs() throws IOException {
        try (NetNs ns = NetNs.create()) {
            AgentProcess.Result none = cleanup(ns);
            assertThat(none.code()).as(none.err()).isZero();
            assertThat(none.out()).contains("nothing of ours is there");

            tool("nft", "#!/no/such/interpreter\n");
            AgentProcess.Result nft = cleanup(ns);
            assertThat(nft.code()).as(nft.out() + nft.err()).isEqualTo(4);
            assertThat(nft.out())
                    .contains("nft cannot be started", "[tool-not-started]")
                    .doesNotContain("nothing of ours");

            Files.delete(dir.resolve("nft"));
            tool("iptables-save", "#!/no/such/interpreter\n");
            tool("iptables", "#!/no/such/interpreter\n");
            AgentProcess.Result iptables = cleanup(ns);
            assertThat(iptables.code()).as(iptables.out() + iptables.err()).isEqualTo(4);
            assertThat(iptables.out()).contains("[tool-not-started]");
        }
    }
}
