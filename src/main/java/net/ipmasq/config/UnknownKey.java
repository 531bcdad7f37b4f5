package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.OddCharacter;

/** The advice for a key that has no meaning. */
final class UnknownKey {
    /** What a text starts with that was made with --from-file=config=MANIFEST. */
    private static final Set<String> MANIFEST_KEYS = Set.of("apiVersion", "kind", "metadata", "data");

    private UnknownKey() {}

    /**
     * The advice for one key.
     *
     * @param known the keys that have a meaning where it stands
     * @param top whether it stands at the top of the text
     */
    static String fix(String key, List<String> known, boolean top) {
        if (key.equals("<<")) {
            return "in quotes this is a key like any other; write << without quotes to merge a mapping";
        }
        return meant(key, known, top)
                .or(() -> OddCharacter.in(key).map(OddCharacter::fix))
                .orElseGet(() -> "the known keys are " + String.join(", ", known));
    }

    static Optional<String> meant(String key, List<String> known, boolean top) {
        if (MANIFEST_KEYS.contains(key) && top) {
            return Optional.of(
                    "this looks like a whole ConfigMap manifest; only the text under its data.config belongs here");
        }
        boolean ofConfiguration = known.contains(ConfigKey.NON_MASQUERADE_CIDRS.spelling());
        return (ofConfiguration ? ForeignKeys.hint(key) : Optional.<String>empty())
                .or(() -> NearestKey.hint(key, known));
    }
}
