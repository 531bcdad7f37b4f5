package net.ipmasq.bundle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Netty's switch is for a JVM: in a native image it makes each command that asks a cluster fail. */
class ClusterAccessTest {
    private static final String SWITCH = "io.netty.noUnsafe";
    private static final String IMAGE = "org.graalvm.nativeimage.imagecode";

    @TempDir
    private Path directory;

    private final Map<String, String> before = new HashMap<>();

    @BeforeEach
    void clear() {
        for (String name : new String[] {SWITCH, IMAGE}) {
            before.put(name, System.getProperty(name));
            System.clearProperty(name);
        }
    }

    @AfterEach
    void restore() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    /** The switch while a client is at work; no request is made. */
    private String duringWork() throws IOException {
        ClusterAccess access = new ClusterAccess();
        access.kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
        String[] seen = new String[1];
        int code = access.with(client -> {
            seen[0] = String.valueOf(System.getProperty(SWITCH));
            return 7;
        });
        assertThat(code).isEqualTo(7);
        return seen[0];
    }

    @Test
    void isSetOnAJvm() throws IOException {
        assertThat(duringWork()).isEqualTo("true");
    }

    /** The values that the property has in an image, and while one is built. */
    @ParameterizedTest
    @ValueSource(strings = {"runtime", "buildtime"})
    void isNotSetInAnImage(String code) throws IOException {
        System.setProperty(IMAGE, code);
        assertThat(duringWork()).isEqualTo("null");
    }
}
