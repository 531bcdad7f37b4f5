package net.ipmasq.agent;

/** The agent's version, from the jar's manifest. */
public final class AgentVersion {
    private AgentVersion() {}

    /** For example {@code 0.1.0-SNAPSHOT}; {@code dev} when run from classes. */
    public static final String TEXT = text();

    private static String text() {
        String version = AgentVersion.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}
