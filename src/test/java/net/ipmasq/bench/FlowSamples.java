package net.ipmasq.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.ipmasq.lab.FlowLab.Round;

/** What the rounds measured for one backend at one size. */
final class FlowSamples {
    private final List<Double> noMatch = new ArrayList<>();
    private final List<Double> cold = new ArrayList<>();
    private final List<Double> lastMatch = new ArrayList<>();
    private final Writes loads = new Writes();
    private final Writes updates = new Writes();
    private long arrivedAsNode;
    private long arrivedAsPod;

    /** Writes of the same text in several rounds, and the readings before them. */
    static final class Writes {
        private final List<Double> readMillis = new ArrayList<>();
        private final List<Double> wallMillis = new ArrayList<>();
        private double cpuMillis;
        private int bytes;

        void read(double wall) {
            readMillis.add(wall);
        }

        void wrote(double wall, double cpu, int textBytes) {
            wallMillis.add(wall);
            cpuMillis += cpu;
            bytes = textBytes;
        }

        double readMillis() {
            return median(readMillis);
        }

        double millis() {
            return median(wallMillis);
        }

        private static double median(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }

        /** A mean, since a tick is longer than most writes. */
        double cpuMillis() {
            return cpuMillis / wallMillis.size();
        }

        int bytes() {
            return bytes;
        }
    }

    void noMatch(Round round) {
        noMatch.add(round.micros());
        arrivedAsNode += round.asNode();
    }

    void cold(Round round) {
        cold.add(round.micros());
    }

    void lastMatch(Round round) {
        lastMatch.add(round.micros());
        arrivedAsPod += round.asPod();
    }

    long arrivedAsNode() {
        return arrivedAsNode;
    }

    long arrivedAsPod() {
        return arrivedAsPod;
    }

    Writes loads() {
        return loads;
    }

    Writes updates() {
        return updates;
    }

    /** The least of the rounds' medians: other work on the machine only ever adds. */
    double noMatchMicros() {
        return Collections.min(noMatch);
    }

    /** As {@link #noMatchMicros}, with cold caches. */
    double coldMicros() {
        return Collections.min(cold);
    }

    /** As {@link #noMatchMicros}; NaN without entries to match. */
    double lastMatchMicros() {
        return lastMatch.isEmpty() ? Double.NaN : Collections.min(lastMatch);
    }
}
