package net.ipmasq.bundle.archive;

import net.ipmasq.bundle.archive.Rendering.Manifests;

/** Rules from what a chart renders. */
final class CaseRules {
    private static final String USERS = "cce-ip-masq-agent";
    private static final String PROVIDERS = USERS + "-profile";

    private CaseRules() {}

    /** The user's text of one rendering under the profile of another: what an upgrade makes of a text that nobody edits. */
    static CompiledRules of(Manifests users, Manifests providers) {
        // a chart that makes no ConfigMap for the user leaves everything to the profile
        String config = users.data(USERS, "config").orElse("");
        return providers
                .data(PROVIDERS, "profile")
                .map(profile -> CompiledRules.of(config, profile))
                .orElseGet(() -> new CompiledRules.Bad("the manifests: there is no ConfigMap " + PROVIDERS));
    }
}
