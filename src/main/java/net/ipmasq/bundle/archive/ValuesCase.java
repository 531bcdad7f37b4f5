package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values that a bundle is checked with.
 *
 * @param name for people
 * @param file of the bundle that the values are from
 */
record ValuesCase(String name, String file, Map<String, Object> values) {

    /** Its own defaults, each of its profiles, each of its examples. */
    static List<ValuesCase> of(BundleFiles bundle) {
        List<ValuesCase> cases = new ArrayList<>();
        cases.add(new ValuesCase("defaults", BundleFiles.VALUES, Map.of()));
        for (String profile : Tree.texts(bundle.yaml(BundleFiles.ADDON), "profiles")) {
            cases.add(profile(profile));
        }
        for (String example : bundle.in("examples")) {
            cases.add(new ValuesCase(
                    "example " + example.replaceFirst("^examples/(.*)\\.yaml$", "$1"), example, bundle.yaml(example)));
        }
        return cases;
    }

    private static ValuesCase profile(String name) {
        return new ValuesCase(
                "profile " + name, "chart/files/profiles/" + name + ".yaml", Map.of("profile", Map.of("name", name)));
    }
}
