package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.ipmasq.agent.ConfigSource.Version;

/**
 * The data of a ConfigMap in one version.
 *
 * @param binary what is no UTF-8, which kubectl and the API keep apart
 */
record ConfigMapData(Map<String, String> data, Map<String, byte[]> binary, Version version) {
    ConfigMapData {
        data = Map.copyOf(data);
        binary = Map.copyOf(binary);
    }

    /** The object as the API gave it. */
    static ConfigMapData of(ConfigMap map) {
        Map<String, byte[]> binary = new HashMap<>();
        Objects.requireNonNullElse(map.getBinaryData(), Map.<String, String>of())
                .forEach((key, base64) -> binary.put(key, Base64.getDecoder().decode(base64)));
        return new ConfigMapData(
                Objects.requireNonNullElse(map.getData(), Map.of()),
                binary,
                new Version(map.getMetadata().getUid(), map.getMetadata().getResourceVersion()));
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
