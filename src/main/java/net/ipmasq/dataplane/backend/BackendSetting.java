package net.ipmasq.dataplane.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.Backend;

/**
 * A value of the setting {@code backend}.
 *
 * @param fixed the backend to use; empty if the node decides
 */
public record BackendSetting(String key, Optional<Backend> fixed) {
    /** The variant of iptables that the node uses. */
    public static final BackendSetting IPTABLES = new BackendSetting("iptables", Optional.empty());

    /** What {@link BackendChoice} decides. */
    public static final BackendSetting AUTO = new BackendSetting("auto", Optional.empty());

    /** All values, the default first. */
    public static List<BackendSetting> all() {
        List<BackendSetting> all = new ArrayList<>();
        all.add(IPTABLES);
        for (Backend backend : Backend.values()) {
            all.add(new BackendSetting(backend.key(), Optional.of(backend)));
        }
        all.add(AUTO);
        return all;
    }

    /**
     * The value of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static BackendSetting of(String key) {
        return all().stream()
                .filter(setting -> setting.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no backend: " + key));
    }

    /** The backend whose syntax is shown where no node is asked: both variants of iptables have the same. */
    public Backend shown() {
        return fixed.orElse(Backend.IPTABLES_NFT);
    }
}
