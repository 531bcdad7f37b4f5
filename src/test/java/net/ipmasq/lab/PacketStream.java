package net.ipmasq.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.net.IpAddress;

/**
 * New flows without a break, UDP and TCP in turn over a list of destinations, while a test does something to the node.
 * Records every flow whose source address was not as expected.
 */
public final class PacketStream implements AutoCloseable {

    /** The source address that belongs to a destination. */
    public enum Source {
        POD,
        NODE;

        boolean matches(Seen seen) {
            return this == POD ? seen.sourceIsPod() : seen.sourceIsNode();
        }
    }

    /**
     * What the stream saw.
     *
     * @param flows how many were started
     * @param wrong those that arrived with another source address than expected
     * @param lost those that did not arrive or were not answered in time
     */
    public record Report(int flows, List<Seen> wrong, List<Seen> lost) {}

    /** A stream that somebody forgot ends by itself. */
    private static final int MOST_FLOWS = 200_000;

    private final PacketLab lab;
    private final List<Map.Entry<IpAddress, Source>> destinations;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("packet-stream").unstarted(task));
    private final ConcurrentLinkedQueue<Seen> wrong = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Seen> lost = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<CompletableFuture<Void>> underWay = new ConcurrentLinkedQueue<>();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicReference<Waiter> waiter = new AtomicReference<>(new Waiter(0, new CompletableFuture<>()));

    private record Waiter(int count, CompletableFuture<Void> reached) {}

    private PacketStream(PacketLab lab, Map<IpAddress, Source> expected) {
        this.lab = lab;
        this.destinations = List.copyOf(expected.entrySet());
    }

    /** Starts at {@code flowsPerSecond}, at most 1,000. */
    public static PacketStream start(PacketLab lab, Map<IpAddress, Source> expected, int flowsPerSecond) {
        if (expected.isEmpty() || flowsPerSecond < 1 || flowsPerSecond > 1000) {
            throw new IllegalArgumentException("destinations and 1 to 1000 flows per second are needed");
        }
        PacketStream stream = new PacketStream(lab, expected);
        long period = TimeUnit.SECONDS.toNanos(1) / flowsPerSecond;
        var pace = stream.clock.scheduleAtFixedRate(stream::next, 0, period, TimeUnit.NANOSECONDS);
        assert !pace.isDone();
        return stream;
    }

    private void next() {
        int n = started.getAndIncrement();
        if (n >= MOST_FLOWS) {
            started.decrementAndGet();
            return;
        }
        Map.Entry<IpAddress, Source> to = destinations.get(n / 2 % destinations.size());
        Protocol protocol = n % 2 == 0 ? Protocol.UDP : Protocol.TCP;
        underWay.add(lab.send(protocol, to.getKey()).thenAccept(seen -> record(seen, to.getValue())));
        // finished ones leave from the front, so the queue stays as short as the lab's window
        while (!underWay.isEmpty() && underWay.peek().isDone()) {
            underWay.remove();
        }
    }

    private void record(Seen seen, Source expected) {
        if (!seen.arrived() || seen.protocol() == Protocol.TCP && !seen.replied()) {
            lost.add(seen);
        }
        if (seen.arrived() && !expected.matches(seen)) {
            wrong.add(seen);
        }
        int count = ended.incrementAndGet();
        Waiter current = waiter.get();
        if (count >= current.count()) {
            current.reached().complete(null);
        }
    }

    /** How many flows have ended. */
    public int flows() {
        return ended.get();
    }

    /** Waits until {@code more} flows have ended after now, so that a test knows its moment was under traffic. */
    public void awaitFlows(int more, Duration limit) {
        Waiter mine = new Waiter(ended.get() + more, new CompletableFuture<>());
        waiter.set(mine);
        get(mine.reached(), limit);
    }

    /** Ends the stream, waits for the flows under way and says what was seen. */
    public Report stop() {
        clock.shutdown();
        try {
            if (!clock.awaitTermination(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the stream does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        get(CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)), Duration.ofSeconds(30));
        return new Report(started.get(), new ArrayList<>(wrong), new ArrayList<>(lost));
    }

    private static void get(CompletableFuture<Void> future, Duration limit) {
        try {
            future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the stream stands still", e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
