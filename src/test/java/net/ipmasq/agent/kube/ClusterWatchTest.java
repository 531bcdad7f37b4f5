package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.Slow;
import net.ipmasq.profile.ConfigMapRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The watch against a server in the test's hand: what it knows, and what it says is wrong, in both directions. */
class ClusterWatchTest {
    private static final String NAME = "cce-ip-masq-agent";
    private static final ConfigMapRef REF = new ConfigMapRef("kube-system", NAME);

    private final AtomicInteger calls = new AtomicInteger();
    private final ConfigMapCache watched = new ConfigMapCache("the test");
    private final BlockingQueue<Optional<String>> told = new LinkedBlockingQueue<>();
    private final Semaphore waits = new Semaphore(0);
    private volatile Runnable whenChanged = () -> {};
    private FakeApi api;
    private KubernetesClient client;
    private ClusterWatch watch;

    @BeforeEach
    void start() {
        api = FakeApi.start();
        client = api.client();
        watch = watch(client);
    }

    private ClusterWatch watch(KubernetesClient client) {
        return new ClusterWatch(
                client,
                () -> {
                    calls.incrementAndGet();
                    whenChanged.run();
                },
                told::add,
                wait -> waits.acquire());
    }

    @AfterEach
    void stop() {
        watch.close();
        client.close();
        api.close();
    }

    private static boolean holds(SourceReading<ConfigMapData> reading, String text) {
        return reading instanceof SourceReading.Present<ConfigMapData>(ConfigMapData map)
                && text.equals(map.data().get("config"));
    }

    private void await(String what, String text) {
        Eventually.holds(what, watched::reading, reading -> holds(reading, text));
    }

    private Optional<String> nextTold() throws InterruptedException {
        Optional<String> next = told.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was told");
        }
        return next;
    }

    /** Lets it try until there is no trouble, which may have another cause meanwhile. */
    private void awaitOver() throws InterruptedException {
        do {
            waits.release();
        } while (nextTold().isPresent());
    }

    /** Follows until the watch stands. */
    private void follow() throws InterruptedException {
        watch.follow(REF, watched);
        api.awaitRequest("standing " + NAME);
    }

    @Test
    void nothingIsKnownUntilTheServerHasAnsweredThatThereIsNone() throws InterruptedException {
        Semaphore list = api.gate("list");
        watch.follow(REF, watched);
        api.awaitRequest("list " + NAME);
        assertThat(watched.reading()).isInstanceOf(SourceReading.Unknown.class);
        list.release();
        Eventually.holds("absent", () -> watched.reading(), SourceReading.Absent.class::isInstance);
        Eventually.holds("called", () -> calls.get(), value -> value == 1);
    }

    @Test
    void everyChangeOfTheOneObjectArrivesAndNoOther() throws InterruptedException {
        follow();
        api.put("another", "not ours");
        api.put(NAME, "a: 1");
        await("created", "a: 1");
        api.put(NAME, "a: 2");
        await("updated", "a: 2");
        api.delete(NAME);
        Eventually.holds("deleted", () -> watched.reading(), SourceReading.Absent.class::isInstance);
        assertThat(told).isEmpty();
    }

    @Test
    void whatWasSaidStaysSaidWhenTheServerGoesAndAnEditMeanwhileLands() throws InterruptedException {
        api.put(NAME, "a: 1");
        follow();
        assertThat(holds(watched.reading(), "a: 1")).isTrue();
        api.down();
        waits.release();
        assertThat(nextTold().orElseThrow()).contains("ConfigMap kube-system/" + NAME, "out of reach");
        assertThat(holds(watched.reading(), "a: 1")).isTrue();
        api.put(NAME, "a: 2");
        api.up();
        awaitOver();
        await("edit", "a: 2");
        assertThat(watch.issue()).isEmpty();
    }

    @Test
    void aServerThatIsDownAtTheStartIsSaidAtOnceAndSoIsItsComing() throws InterruptedException {
        api.down();
        watch.follow(REF, watched);
        assertThat(nextTold().orElseThrow()).contains("out of reach");
        assertThat(watched.reading())
                .isInstanceOfSatisfying(
                        SourceReading.Unknown.class,
                        unknown -> assertThat(unknown.why()).contains("out of reach"));
        api.put(NAME, "a: 1");
        api.up();
        awaitOver();
        await("read", "a: 1");
    }

    @ParameterizedTest
    @CsvSource({
        "list, 401, does not accept this agent's token (401)",
        "list, 403, may not read it (403)",
        "list, 500, answered with 500",
        "list, 429, answered with 429",
        "watch, 401, does not accept this agent's token (401)",
        "watch, 403, may not read it (403)",
        "watch, 503, answered with 503"
    })
    void aRefusalIsSaidAtOnceAndSoIsItsEnd(String kind, int code, String words) throws InterruptedException {
        api.put(NAME, "a: 1");
        api.refuse(kind, code);
        watch.follow(REF, watched);
        assertThat(nextTold().orElseThrow()).contains(words);
        // a watch that is refused takes nothing from what the list said
        assertThat(watched.reading() instanceof SourceReading.Unknown).isEqualTo(kind.equals("list"));
        // tried again and still refused: nothing new
        waits.release();
        api.awaitRequest(kind + " " + NAME);
        api.awaitRequest(kind + " " + NAME);
        assertThat(told).isEmpty();
        api.refuse(kind, 200);
        awaitOver();
        await("read", "a: 1");
    }

    /** A Role that lacks watch costs time, not edits; and a list that works does not end what is wrong. */
    @Test
    void whileAWatchIsForbiddenAnEditShowsInTheNextList() throws InterruptedException {
        api.put(NAME, "a: 1");
        api.refuse("watch", 403);
        watch.follow(REF, watched);
        assertThat(nextTold().orElseThrow()).contains("may not read it (403)");
        for (String text : new String[] {"a: 2", "a: 3"}) {
            api.put(NAME, text);
            waits.release();
            Eventually.holds(text, watched::reading, reading -> holds(reading, text));
        }
        api.awaitRequest("watch " + NAME);
        assertThat(told).isEmpty();
        api.refuse("watch", 200);
        awaitOver();
        api.awaitRequest("standing " + NAME);
        api.put(NAME, "a: 4");
        Eventually.holds("watched", watched::reading, reading -> holds(reading, "a: 4"));
    }

    @Test
    void aWatchThatIsLostAndMadeAgainIsNoTrouble() throws InterruptedException {
        api.put(NAME, "a: 1");
        follow();
        for (int i = 2; i < 12; i++) {
            // ends what stands
            api.refuse("watch", 200);
            waits.release();
            api.awaitRequest("standing " + NAME);
            String text = "a: " + i;
            api.put(NAME, text);
            await(text, text);
        }
        assertThat(told).isEmpty();
        assertThat(api.requests).doesNotContain("list " + NAME);
    }

    @Test
    void aVersionThatIsForgottenIsListedAnew() throws InterruptedException {
        api.put(NAME, "a: 1");
        follow();
        api.expire(NAME);
        api.put(NAME, "a: 2");
        waits.release();
        api.awaitRequest("list " + NAME);
        await("listed", "a: 2");
        assertThat(told).isEmpty();
    }

    /** The kubelet starts a pod while its API server is busy: a list, and only seconds later the watch. */
    @Test
    void twentySlowStartsAreNoTrouble() throws InterruptedException {
        Semaphore list = api.gate("list");
        Semaphore stands = api.gate("watch");
        for (int i = 0; i < 20; i++) {
            ConfigMapCache one = new ConfigMapCache("the test");
            api.put(NAME, "a: " + i);
            try (ClusterWatch slow = watch(client)) {
                slow.follow(REF, one);
                api.awaitRequest("list " + NAME);
                assertThat(slow.issue()).isEmpty();
                list.release();
                api.awaitRequest("watch " + NAME);
                assertThat(one.reading()).isInstanceOf(SourceReading.Present.class);
                assertThat(slow.issue()).isEmpty();
                stands.release();
            }
        }
        assertThat(told).isEmpty();
    }

    @Test
    void aCertificateThatNobodyVouchesForIsSaidAtOnce() throws InterruptedException {
        KubernetesMockServer secure = new KubernetesMockServer(true);
        secure.init();
        Config config = secure.createClient().getConfiguration();
        config.setTrustCerts(false);
        config.setRequestRetryBackoffLimit(0);
        try (KubernetesClient stranger =
                        new KubernetesClientBuilder().withConfig(config).build();
                ClusterWatch other = watch(stranger)) {
            other.follow(REF, watched);
            assertThat(nextTold().orElseThrow()).contains("no secure connection", "certificate authority");
        } finally {
            secure.destroy();
        }
    }

    /** An answer and its pass are one step: whatever the threads do, the last text that was sent is the last that counts. */
    @Test
    void anOlderTextNeverReplacesANewerOne() throws InterruptedException {
        api.put(NAME, "a: 1");
        Semaphore inPass = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        whenChanged = () -> {
            inPass.release();
            mayEnd.acquireUninterruptibly();
        };
        watch.follow(REF, watched);
        inPass.acquire();
        // while the pass for the first runs, and the watch does not stand yet
        api.put(NAME, "a: 2");
        api.put(NAME, "a: 3");
        assertThat(holds(watched.reading(), "a: 1")).isTrue();
        mayEnd.release(100);
        await("newest", "a: 3");
    }

    /** Edits that come while a pass hangs wait at the server, not in the agent's heap. */
    @Slow
    @Test
    void whatIsNotTakenYetIsNotReadEither() throws InterruptedException {
        Semaphore inPass = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        follow();
        whenChanged = () -> {
            inPass.release();
            mayEnd.acquireUninterruptibly();
        };
        api.put(NAME, "first");
        inPass.acquire();
        int all = 100;
        AtomicInteger written = new AtomicInteger();
        Thread editor = Thread.ofPlatform().start(() -> {
            for (int i = 1; i <= all; i++) {
                api.put(NAME, "x".repeat(1 << 20) + i);
                written.set(i);
            }
        });
        AtomicInteger before = new AtomicInteger();
        AtomicInteger same = new AtomicInteger();
        Eventually.holds(
                "the editor stands still",
                () -> {
                    int now = written.get();
                    return same.updateAndGet(times -> now > 0 && now == before.getAndSet(now) ? times + 1 : 0);
                },
                times -> times == 25);
        assertThat(written).hasValueLessThan(all);
        mayEnd.release(2 * all);
        editor.join();
        await("newest", "x".repeat(1 << 20) + all);
    }

    @Test
    void whatAPassThrowsIsSaidAndFollowingGoesOn() throws InterruptedException {
        api.put(NAME, "a: 1");
        AtomicInteger thrown = new AtomicInteger();
        whenChanged = () -> {
            if (thrown.getAndIncrement() == 0) {
                throw new OutOfMemoryError("for the test");
            }
        };
        watch.follow(REF, watched);
        assertThat(nextTold().orElseThrow()).contains("OutOfMemoryError");
        waits.release();
        assertThat(nextTold()).isEmpty();
        api.awaitRequest("watch " + NAME);
        api.put(NAME, "a: 2");
        await("followed", "a: 2");
    }
}
