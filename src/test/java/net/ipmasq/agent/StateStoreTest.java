package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.agent.StateStore.LastGood;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.profile.ProfileWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last good state on disk, and going on without it. */
class StateStoreTest {
    private static final LastGood GOOD =
            new LastGood(Optional.of("masqOutBound: \"ü\"\n"), "name: cce\n", "IP-MASQ-AGENT", "iptables-nft");

    @TempDir
    private Path directory;

    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    private Path file() {
        return directory.resolve("last-good.json");
    }

    @Test
    void whatIsSavedIsLoaded() throws IOException {
        Path fresh = directory.resolve("a/b");
        for (LastGood state : List.of(GOOD, new LastGood(Optional.empty(), "p", "C", "b"))) {
            new StateStore(fresh).save(state);
            assertThat(new StateStore(fresh).load()).hasValue(state);
        }
        try (Stream<Path> files = Files.list(fresh)) {
            assertThat(files).as("nothing half-written stays").hasSize(1);
        }
    }

    @Test
    void theSameStateIsWrittenOnce() throws IOException {
        StateStore store = new StateStore(directory);
        store.save(GOOD);
        Files.delete(file());
        store.save(GOOD);
        assertThat(file()).doesNotExist();
        store.load();
        store.save(GOOD);
        assertThat(file()).exists();
        store.forget();
        assertThat(file()).doesNotExist();
        assertThat(store.load()).isEmpty();
        assertThat(store.trouble()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"profile\": 7}",
                "{\"profile\": \"x\"}",
                "\u0000\u0001",
                "{} trailing",
                "{\"chain\":null}"
            })
    void aCorruptFileIsReportedNotUsedAndReplacedByTheNextSuccess(String text) throws IOException {
        Files.writeString(file(), text);
        AgentRig agent = new AgentRig(dataplane, directory).config("x: [");
        AgentStatus status = agent.pass();
        assertThat(status.inForce().orElseThrow().origin()).isEqualTo("profile");
        assertThat(status.trouble()).containsOnlyKeys("StateDirectory");
        assertThat(status.trouble().get("StateDirectory")).contains("last-good.json", "not used");
        assertThat(agent.config("{}").pass().trouble()).isEmpty();
        assertThat(new StateStore(directory).load()).isPresent();
    }

    /** A state that this version does not understand any more, in its profile or in its text. */
    @Test
    void aStateThatCannotBeUsedIsReported() {
        String profile = ProfileWriter.write(Assembly.profile("cce"));
        for (LastGood state : List.of(
                new LastGood(Optional.empty(), "chain: [", "IP-MASQ-AGENT", "b"),
                new LastGood(Optional.of("nonMasqueradeCIDRs: [10.0.0.1/8]"), profile, "IP-MASQ-AGENT", "b"))) {
            new StateStore(directory).save(state);
            AgentRig agent = new AgentRig(dataplane, directory).unknown();
            AgentStatus status = agent.pass();
            assertThat(status.inSync()).isTrue();
            assertThat(status.trouble().get("StateDirectory")).contains("cannot be used");
            assertThat(agent.absent().pass().trouble()).isEmpty();
        }
    }

    /** A file in the directory's place is something that not even root can write into. */
    @Test
    void withoutADirectoryTheAgentWorksAndSaysTheSameEachPass() throws IOException {
        Path blocked = Files.createFile(directory.resolve("file"));
        AgentRig agent = new AgentRig(dataplane, blocked).config("masqOutBound: false");
        AgentStatus first = agent.pass();
        assertThat(first.inSync()).isTrue();
        assertThat(first.trouble()).containsOnlyKeys("StateDirectory");
        assertThat(first.trouble().get("StateDirectory")).contains(blocked.toString(), "will not survive a restart");
        for (int i = 0; i < 3; i++) {
            assertThat(agent.pass().trouble()).isEqualTo(first.trouble());
        }
        assertThat(agent.config("x: [").pass().inForce().orElseThrow().origin()).isEqualTo("config");
        assertThat(dataplane.table(IPV4).chains().get(AgentRig.CHAIN)).hasSize(5);
    }

    @Test
    void aStateFileOfHundredsOfMegabytesIsNotRead() throws IOException {
        try (var channel = java.nio.channels.FileChannel.open(
                file(), java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.allocate(1), 400L << 20);
        }
        StateStore store = new StateStore(directory);
        assertThat(store.load()).isEmpty();
        assertThat(store.trouble()).hasValueSatisfying(why -> assertThat(why).contains("419430401 bytes"));
    }
}
