package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
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
    private static final LastGood GOOD = new LastGood(
            Optional.of("masqOutBound: \"ü\"\n"), "name: cce\n", "IP-MASQ-AGENT", "iptables-nft", Optional.empty());

    @TempDir
    private Path directory;

    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    private Path file() {
        return directory.resolve("last-good.json");
    }

    @Test
    void whatIsSavedIsLoaded() throws IOException {
        Path fresh = directory.resolve("a/b");
        for (LastGood state : List.of(GOOD, new LastGood(Optional.empty(), "p", "C", "b", Optional.empty()))) {
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
        Files.setLastModifiedTime(file(), FileTime.from(SteppingClock.START));
        store.save(GOOD);
        store.load();
        store.save(GOOD);
        assertThat(store.savedAt()).as("not written again").hasValue(SteppingClock.START);
        store.forget();
        assertThat(file()).doesNotExist();
        assertThat(store.load()).isEmpty();
        assertThat(store.issue()).isEmpty();
    }

    /** By a clean-up beside the agent, for example. */
    @Test
    void whatSomebodyTookAwayIsStoredAgain() throws IOException {
        StateStore store = new StateStore(directory);
        store.save(GOOD);
        Files.delete(file());
        store.save(GOOD);
        assertThat(file()).exists();
        Files.writeString(file(), "{");
        assertThat(store.load()).as("what was stored is still known").hasValue(GOOD);
        assertThat(store.issue()).isPresent();
        store.save(GOOD);
        assertThat(new StateStore(directory).load()).hasValue(GOOD);
        assertThat(store.issue()).isEmpty();
    }

    @Test
    void whatCouldNotBeReadOnceIsNoTroubleAnyMore() throws IOException {
        new StateStore(directory).save(GOOD);
        StateStore store = new StateStore(directory);
        Path aside = Files.move(file(), directory.resolve("aside"));
        Files.createDirectory(file());
        assertThat(store.load()).isEmpty();
        assertThat(store.issue()).isPresent();
        Files.delete(file());
        Files.move(aside, file());
        assertThat(store.load()).hasValue(GOOD);
        assertThat(store.issue()).isEmpty();
    }

    /** The directory is in the way as a file, which not even root can write into; then it is there. */
    @Test
    void aStateThatCouldNotBeStoredIsTriedAgainAndThenNothingIsWrong() throws IOException {
        Path blocked = Files.createFile(directory.resolve("file"));
        SteppingClock clock = new SteppingClock();
        StateStore store = new StateStore(blocked, clock);
        store.save(GOOD);
        assertThat(store.retryDelay()).hasValue(Duration.ofSeconds(1));
        Files.delete(blocked);
        store.save(GOOD);
        store.retry();
        assertThat(blocked).as("too early").doesNotExist();
        clock.advance(Duration.ofSeconds(1));
        store.retry();
        assertThat(new StateStore(blocked).load()).hasValue(GOOD);
        assertThat(store.issue()).isEmpty();
        assertThat(store.retryDelay()).isEmpty();
    }

    @Test
    void triesComeLessAndLessOften() throws IOException {
        SteppingClock clock = new SteppingClock();
        StateStore store = new StateStore(Files.createFile(directory.resolve("file")), clock);
        List<Long> waits = new java.util.ArrayList<>();
        store.save(GOOD);
        for (int i = 0; i < 11; i++) {
            Duration wait = store.retryDelay().orElseThrow();
            waits.add(wait.toSeconds());
            clock.advance(wait);
            store.retry();
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
    }

    /** The disk is full for an edit; after that a bad text comes, and then a restart. */
    @Test
    void anEditThatCouldNotBeStoredIsInForceAfterARestartAllTheSame() throws IOException {
        Path place = directory.resolve("state");
        AgentRig agent = new AgentRig(dataplane, place).config("nonMasqueradeCIDRs: [10.1.0.0/16]\nresyncInterval: 1h");
        agent.pass();
        Path aside = Files.move(place, directory.resolve("aside"));
        Files.createFile(place);
        AgentStatus failed = agent.config("nonMasqueradeCIDRs: [10.2.0.0/16]\nresyncInterval: 1h")
                .pass();
        assertThat(failed.issue()).containsOnlyKeys("StateDirectory");
        assertThat(agent.loop().nextDelay()).as("not after an hour").isEqualTo(Duration.ofSeconds(1));
        Files.delete(place);
        Files.move(aside, place);
        AgentStatus after = agent.config("x: [").pass();
        assertThat(after.issue()).isEmpty();
        assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofHours(1));
        AgentStatus restarted = agent.restarted().config("x: [").pass();
        assertThat(restarted.config().inForce().orElseThrow().origin()).isEqualTo("last-good");
        assertThat(agent.rules(IPV4, AgentRig.CHAIN)).anyMatch(rule -> rule.contains("10.2.0.0/16"));
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
        assertThat(status.config().inForce().orElseThrow().origin()).isEqualTo("profile");
        assertThat(status.issue()).containsOnlyKeys("StateDirectory");
        assertThat(status.issue().get("StateDirectory")).contains("last-good.json", "not used");
        assertThat(agent.config("{}").pass().issue()).isEmpty();
        assertThat(new StateStore(directory).load()).isPresent();
    }

    /** A state that this version does not understand any more, in its profile or in its text. */
    @Test
    void aStateThatCannotBeUsedIsReported() {
        String profile = ProfileWriter.write(Profiles.named("cce"));
        for (LastGood state : List.of(
                new LastGood(Optional.empty(), "chain: [", "IP-MASQ-AGENT", "b", Optional.empty()),
                new LastGood(
                        Optional.of("nonMasqueradeCIDRs: [10.0.0.1/8]"),
                        profile,
                        "IP-MASQ-AGENT",
                        "b",
                        Optional.empty()))) {
            new StateStore(directory).save(state);
            AgentRig agent = new AgentRig(dataplane, directory).unknown();
            AgentStatus status = agent.pass();
            assertThat(status.inSync()).isTrue();
            assertThat(status.issue().get("StateDirectory")).contains("cannot be used");
            assertThat(agent.absent().pass().issue()).isEmpty();
        }
    }

    /** A file in the directory's place is something that not even root can write into. */
    @Test
    void withoutADirectoryTheAgentWorksAndSaysTheSameEachPass() throws IOException {
        Path blocked = Files.createFile(directory.resolve("file"));
        AgentRig agent = new AgentRig(dataplane, blocked).config("masqOutBound: false");
        AgentStatus first = agent.pass();
        assertThat(first.inSync()).isTrue();
        assertThat(first.issue()).containsOnlyKeys("StateDirectory");
        assertThat(first.issue().get("StateDirectory")).contains(blocked.toString(), "will not survive a restart");
        for (int i = 0; i < 3; i++) {
            assertThat(agent.pass().issue()).isEqualTo(first.issue());
        }
        assertThat(agent.config("x: [").pass().config().inForce().orElseThrow().origin())
                .isEqualTo("config");
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
        assertThat(store.issue()).hasValueSatisfying(why -> assertThat(why).contains("419430401 bytes"));
    }
}
