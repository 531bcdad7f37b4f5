package net.ipmasq.lab;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.ipmasq.net.IpAddress;

/** One flow under way: done when the far end saw it and, if it is to be answered, the answer came back. */
final class Flight {
    private final Protocol protocol;
    private final IpAddress destination;
    private final boolean answered;
    private final CompletableFuture<Seen> done = new CompletableFuture<>();
    private Optional<IpAddress> source = Optional.empty();
    private int port;
    private boolean replied;
    private String note = "";

    Flight(Protocol protocol, IpAddress destination, boolean answered) {
        this.protocol = protocol;
        this.destination = destination;
        this.answered = answered;
    }

    /** Completes with what is known at the deadline, if not before. */
    CompletableFuture<Seen> await(Duration deadline) {
        CompletableFuture<Void> late = new CompletableFuture<>();
        late.completeOnTimeout(null, deadline.toMillis(), TimeUnit.MILLISECONDS)
                .thenRun(() -> settle("not complete within " + deadline.toSeconds() + " s"));
        return done.whenComplete((seen, error) -> late.cancel(false));
    }

    synchronized void line(String kind, String rest) {
        switch (kind) {
            case "seen" -> {
                String[] endpoint = rest.split(" ");
                source = Optional.of(PacketLab.address(endpoint[0]));
                port = Integer.parseInt(endpoint[1]);
            }
            case "reply" -> replied = true;
            case "failed" -> settle(rest);
            default -> note = kind + " " + rest;
        }
        if (source.isPresent() && (replied || !answered)) {
            done.complete(seen());
        }
    }

    private synchronized void settle(String why) {
        note = note.isEmpty() ? why : note + ", " + why;
        done.complete(seen());
    }

    private Seen seen() {
        return new Seen(protocol, destination, source, port, replied, note);
    }
}
