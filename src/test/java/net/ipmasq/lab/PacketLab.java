package net.ipmasq.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/**
 * Real packets: a pod sends to any address by way of a node, and the world says which source address it saw. Every
 * packet is a new flow from a new source port, so rules changed in between always apply. Answers are awaited, with a
 * deadline; nothing waits for a fixed time.
 */
public final class PacketLab implements AutoCloseable {
    /** Longer than any scheduling delay of a loaded machine, so that a packet not seen by then is lost. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** At most so many flows under way, or the world's socket buffer runs over. */
    private static final int WINDOW = 64;

    private final LabNetwork network;
    private final List<LabProcess> processes = new CopyOnWriteArrayList<>();
    private final LabProcess world;
    private final LabProcess pod;
    private final Map<Long, Flight> flights = new ConcurrentHashMap<>();
    private final Map<IpAddress, CompletableFuture<Void>> echoing = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicInteger unseenInARow = new AtomicInteger();
    private final Semaphore window = new Semaphore(WINDOW);
    private Optional<LabProcess> onNode = Optional.empty();

    private PacketLab(LabNetwork network) {
        this.network = network;
        this.world = start(network.world, WorldServer.class);
        start(network.node, WorldServer.class);
        this.pod = start(network.pod, PodClient.class, LabNetwork::pod);
    }

    /** Makes namespaces and processes; ready for packets when it returns. */
    public static PacketLab create() {
        LabNetwork network = LabNetwork.create();
        PacketLab lab = new PacketLab(network);
        try {
            lab.processes.forEach(LabProcess::awaitReady);
            return lab;
        } catch (RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /** The namespace whose rules decide. */
    public NetNs node() {
        return network.node;
    }

    public NetNs pod() {
        return network.pod;
    }

    public NetNs world() {
        return network.world;
    }

    /** The pod's address. */
    public IpAddress podAddress(IpFamily family) {
        return LabNetwork.pod(family);
    }

    /** The node's address towards the world: what masquerading gives. */
    public IpAddress nodeAddress(IpFamily family) {
        return LabNetwork.node(family);
    }

    /** The node's address towards the pod. */
    public IpAddress gatewayAddress(IpFamily family) {
        return LabNetwork.gateway(family);
    }

    /**
     * Whether a packet to this address can cross the node: not loopback, multicast, IPv6 link-local or one of the
     * lab's own.
     */
    public boolean reaches(IpAddress destination) {
        return LabNetwork.reaches(destination);
    }

    public Seen udp(IpAddress destination) {
        return await(send(Protocol.UDP, destination));
    }

    public Seen tcp(IpAddress destination) {
        return await(send(Protocol.TCP, destination));
    }

    /** One UDP flow each, in the order given. */
    public List<Seen> udp(List<IpAddress> destinations) {
        return all(Protocol.UDP, destinations);
    }

    /** One TCP connection each, in the order given. */
    public List<Seen> tcp(List<IpAddress> destinations) {
        return all(Protocol.TCP, destinations);
    }

    /** A UDP packet that is answered from the destination address itself. */
    public Seen udpEcho(IpAddress destination) {
        // in the map before the world is asked: its answer can be quicker than this thread
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> earlier = echoing.putIfAbsent(destination, mine);
        if (earlier == null) {
            world.send("echo " + destination + "\n");
        }
        (earlier == null ? mine : earlier)
                .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return await(launch(pod, "echo", Protocol.UDP, destination, true));
    }

    /** A connection from a process on the node itself, from the node's outer address. */
    public Seen tcpFromNode(IpAddress destination) {
        LabProcess client = onNode.orElseGet(() -> start(network.node, PodClient.class, LabNetwork::node));
        onNode = Optional.of(client);
        return await(launch(client.awaitReady(), "tcp", Protocol.TCP, destination, true));
    }

    /** Starts one flow; completes with what became of it, always. Waits while too many are under way. */
    public CompletableFuture<Seen> send(Protocol protocol, IpAddress destination) {
        return launch(pod, protocol.key(), protocol, destination, protocol == Protocol.TCP);
    }

    /**
     * Forgets the connections that the node tracks. Needed where {@code --to-ports} leaves few ports: a flow to a
     * destination holds its port for half a minute, and a packet for which none is left is dropped.
     */
    public void forgetFlows() {
        network.node.run("conntrack", "-F");
    }

    private List<Seen> all(Protocol protocol, List<IpAddress> destinations) {
        List<CompletableFuture<Seen>> flows = new ArrayList<>();
        for (IpAddress destination : destinations) {
            flows.add(send(protocol, destination));
        }
        return flows.stream().map(PacketLab::await).toList();
    }

    private static Seen await(CompletableFuture<Seen> flow) {
        return flow.join();
    }

    private CompletableFuture<Seen> launch(
            LabProcess client, String command, Protocol protocol, IpAddress destination, boolean answered) {
        checkAlive();
        acquire();
        long id = ids.incrementAndGet();
        Flight flight = new Flight(protocol, destination, answered);
        flights.put(id, flight);
        CompletableFuture<Seen> result = flight.await(DEADLINE).whenComplete((seen, error) -> {
            flights.remove(id);
            unseenInARow.getAndUpdate(count -> seen.arrived() ? 0 : count + 1);
            window.release();
        });
        client.send(command + " " + id + " " + destination + "\n");
        return result;
    }

    /** Ends a test soon that would otherwise wait out the deadline of each of its thousands of packets. */
    private void checkAlive() {
        processes.forEach(LabProcess::check);
        if (unseenInARow.get() >= WINDOW) {
            throw new IllegalStateException("no packet arrives any more; last lines of the lab's processes: "
                    + processes.stream().map(LabProcess::recent).toList());
        }
    }

    private void acquire() {
        try {
            if (!window.tryAcquire(2 * DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("flows do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private LabProcess start(NetNs ns, Class<?> main, String... args) {
        LabProcess process = LabProcess.start(ns, main, this::line, args);
        processes.add(process);
        return process;
    }

    private LabProcess start(NetNs ns, Class<?> main, Function<IpFamily, IpAddress> own) {
        return start(
                ns,
                main,
                own.apply(IpFamily.IPV4).toString(),
                own.apply(IpFamily.IPV6).toString());
    }

    private void line(String line) {
        String[] words = line.split(" ", 3);
        if (words[0].equals("echoing")) {
            echoing.get(address(words[1])).complete(null);
            return;
        }
        Flight flight = words.length == 3 && words[1].matches("\\d+") ? flights.get(Long.valueOf(words[1])) : null;
        if (flight != null) {
            flight.line(words[0], words[2]);
        }
    }

    /** Java prints IPv6 addresses uncompressed, with groups that {@link IpAddress} reads as they are. */
    static IpAddress address(String text) {
        return IpAddress.of(text);
    }

    @Override
    public void close() {
        try {
            processes.forEach(LabProcess::close);
        } finally {
            network.close();
        }
    }
}
