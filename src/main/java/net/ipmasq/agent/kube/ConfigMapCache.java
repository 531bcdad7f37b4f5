package net.ipmasq.agent.kube;

import net.ipmasq.agent.SourceReading;

/** The last answer of the API server about one ConfigMap. An answer stays valid while the server is out of reach. */
final class ConfigMapCache {
    private volatile SourceReading<ConfigMapData> reading;

    /**
     * @param what the object, for people
     */
    ConfigMapCache(String what) {
        reading = new SourceReading.Unknown<>("the API server has not answered for " + what + " yet");
    }

    SourceReading<ConfigMapData> reading() {
        return reading;
    }

    boolean hasAnswered() {
        return !(reading instanceof SourceReading.Unknown);
    }

    /** Takes an answer. */
    synchronized void answered(SourceReading<ConfigMapData> answer) {
        reading = answer;
    }

    /** Stores why there is no answer; false if that is nothing new, which includes every failure after an answer. */
    synchronized boolean failed(String why) {
        SourceReading<ConfigMapData> now = new SourceReading.Unknown<>(why);
        if (hasAnswered() || reading.equals(now)) {
            return false;
        }
        reading = now;
        return true;
    }
}
