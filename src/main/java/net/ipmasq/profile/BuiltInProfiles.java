package net.ipmasq.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The profiles that ship with the agent. */
public final class BuiltInProfiles {
    private static final List<String> FILES = List.of("cce", "gke", "upstream");

    private BuiltInProfiles() {}

    /** All names, {@code built-in} first. */
    public static List<String> names() {
        return List.of("built-in", "cce", "gke", "upstream");
    }

    /** The YAML text of a profile; empty for an unknown name. */
    public static Optional<byte[]> text(String name) {
        if (name.equals(ProviderProfile.BUILT_IN.name())) {
            return Optional.of(ProfileWriter.write(ProviderProfile.BUILT_IN).getBytes(StandardCharsets.UTF_8));
        }
        return FILES.contains(name) ? Optional.of(resource(name)) : Optional.empty();
    }

    /** The profile of a name; empty for an unknown name. */
    public static Optional<ProviderProfile> profile(String name) {
        if (name.equals(ProviderProfile.BUILT_IN.name())) {
            return Optional.of(ProviderProfile.BUILT_IN);
        }
        return text(name).map(bytes -> switch (ProfileReader.read(bytes, name)) {
            case ProfileReader.Good good -> good.profile();
            case ProfileReader.Bad bad ->
                throw new IllegalStateException("the shipped profile " + name + " is broken: " + bad.problems());
        });
    }

    private static byte[] resource(String name) {
        try (InputStream in = BuiltInProfiles.class.getResourceAsStream("/profiles/" + name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the artifact lacks profiles/" + name + ".yaml");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("profiles/" + name + ".yaml cannot be read from the artifact", e);
        }
    }
}
