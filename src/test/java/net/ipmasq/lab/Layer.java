package net.ipmasq.lab;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** What a test needs, from its tags. {@code ./dev test} runs all layers, {@code ./dev test LAYER} one. */
public enum Layer {
    /** Neither root nor network, and hardly any time. */
    UNIT,
    /** No root either, but seconds. */
    SLOW,
    /** Root and network namespaces. */
    KERNEL,
    /** A real API server in such a namespace. */
    API;

    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The last one that is among these tags; nothing where none is. */
    static Optional<Layer> of(Collection<String> tags) {
        return Arrays.stream(values())
                .filter(layer -> tags.contains(layer.tag()))
                .reduce((one, other) -> other);
    }

    /** Fails in a test of an earlier layer, which would run without root. Outside a test everything is allowed. */
    static void require(Layer layer) {
        LayerTimes.current().filter(current -> current.compareTo(layer) < 0).ifPresent(current -> {
            throw new IllegalStateException("this test is of the layer '" + current.tag() + "' and needs '"
                    + layer.tag() + "': mark it " + (layer == API ? "@NeedsKube" : "@NeedsKernel"));
        });
    }
}
