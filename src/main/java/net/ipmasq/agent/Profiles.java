package net.ipmasq.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.ipmasq.config.Problem;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.text.FileProblem;

/** Finds the provider's profile that the settings name. */
public final class Profiles {
    private Profiles() {}

    /**
     * The profile of the settings with flags applied.
     *
     * @throws UsageException if there is no such profile or it is not valid
     */
    public static ProviderProfile of(Settings settings) {
        return withFlags(settings, named(settings.profile()));
    }

    /** A profile with the flags of the settings over it. */
    public static ProviderProfile withFlags(Settings settings, ProviderProfile profile) {
        return settings.overrides().applyTo(profile);
    }

    /**
     * A built-in profile by name, or one from a file.
     *
     * @throws UsageException if there is no such profile or it is not valid
     */
    public static ProviderProfile named(String nameOrFile) {
        Optional<ProviderProfile> builtIn = BuiltInProfiles.profile(nameOrFile);
        if (builtIn.isPresent()) {
            return builtIn.get();
        }
        byte[] yaml;
        try {
            yaml = Files.readAllBytes(Path.of(nameOrFile));
        } catch (IOException e) {
            throw new UsageException("profile '" + nameOrFile + "' is neither built in ("
                    + String.join(", ", BuiltInProfiles.names()) + ") nor a readable file: " + FileProblem.why(e));
        }
        String name = String.valueOf(Path.of(nameOrFile).getFileName()).replaceFirst("\\.ya?ml$", "");
        return switch (ProfileReader.read(yaml, name)) {
            case ProfileReader.Good good -> good.profile();
            case ProfileReader.Bad bad ->
                throw new UsageException("profile " + nameOrFile + " is not valid:\n"
                        + String.join("\n", bad.findings().lines(Problem::oneLine)));
        };
    }
}
