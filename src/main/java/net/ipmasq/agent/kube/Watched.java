package net.ipmasq.agent.kube;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.ipmasq.agent.ConfigSource.Version;

/** The last that the API server said of one ConfigMap; what it said stays said while it is out of reach. */
final class Watched {
    private volatile State state;

    /** What is known. */
    sealed interface State {}

    /** It has not answered yet. */
    record Unknown(String why) implements State {}

    /** It answered that there is no such object. */
    record Absent() implements State {}

    /**
     * The object's data.
     *
     * @param binary what is no UTF-8, which kubectl and the API keep apart
     */
    record Present(Map<String, String> data, Map<String, byte[]> binary, Version version) implements State {
        Present {
            data = Map.copyOf(data);
            binary = Map.copyOf(binary);
        }

        /** With text only. */
        Present(Map<String, String> data, Version version) {
            this(data, Map.of(), version);
        }

        /** What a mounted file of that name would hold. */
        Optional<byte[]> bytes(String key) {
            return Optional.ofNullable(data.get(key))
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .or(() -> Optional.ofNullable(binary.get(key)));
        }

        /** The keys of both, in order. */
        Set<String> keys() {
            Set<String> keys = new TreeSet<>(data.keySet());
            keys.addAll(binary.keySet());
            return keys;
        }
    }

    Watched(String what) {
        state = new Unknown("the API server has not answered for " + what + " yet");
    }

    State state() {
        return state;
    }

    /** Takes an answer. */
    synchronized void answered(State answer) {
        state = answer;
    }

    /** Says why there is no answer; false if that is nothing new, as it is once there has been one. */
    synchronized boolean failed(String why) {
        State now = new Unknown(why);
        if (!(state instanceof Unknown) || state.equals(now)) {
            return false;
        }
        state = now;
        return true;
    }
}
