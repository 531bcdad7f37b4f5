package net.ipmasq.agent.kube;

import java.util.Map;
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

    /** The object's data. */
    record Present(Map<String, String> data, Version version) implements State {
        Present {
            data = Map.copyOf(data);
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

    /** Says why there is no answer; without effect once there has been one. */
    synchronized void failed(String why) {
        if (state instanceof Unknown) {
            state = new Unknown(why);
        }
    }
}
