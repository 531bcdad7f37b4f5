package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Every test is in one layer, and a test that is not marked for the kernel gets no namespace. */
class LayerTest {

    @Test
    void theLastOfTheTagsDecides() {
        assertThat(Layer.of(List.of())).isEmpty();
        assertThat(Layer.of(List.of("other", "slow"))).hasValue(Layer.SLOW);
        assertThat(Layer.of(List.of("api", "kernel", "slow"))).hasValue(Layer.API);
    }

    @Test
    void aTestWithoutAMarkGetsNoNamespace() {
        assertThat(LayerTimes.current()).hasValue(Layer.UNIT);
        assertThatThrownBy(NetNs::create)
                .hasMessageContaining("is of the layer 'unit'")
                .hasMessageContaining("@NeedsKernel");
    }

    @Slow
    @Test
    void norDoesASlowOne() {
        assertThatThrownBy(NetNs::create).hasMessageContaining("is of the layer 'slow'");
    }

    @NeedsKernel(tools = "ip")
    @Test
    void aMarkedOneDoes() {
        try (NetNs ns = NetNs.create()) {
            assertThat(ns.run("ip", "link")).contains("lo");
            assertThatThrownBy(() -> KubeApi.start(ns)).hasMessageContaining("@NeedsKube");
        }
    }

    /** What the layers are called in the menu, and which tags it runs for each. */
    @Test
    void theMenuKnowsEveryLayer() throws IOException {
        String menu = Files.readString(Path.of("dev"));
        for (Layer layer : Layer.values()) {
            assertThat(menu).contains("\n    " + layer.tag() + ") ");
        }
    }

    /** Not found by a scan, since its name does not say that it is a test. */
    static class Sample {
        @Test
        void quick() {}

        @Slow
        @Nested
        class Slower {
            @Test
            void first() {}

            @Test
            void second() {}
        }
    }

    @Test
    void testsAndTimeAreCountedByLayer(@TempDir Path directory) throws IOException {
        AtomicLong clock = new AtomicLong();
        Path file = directory.resolve("layers");
        LayerTimes times = new LayerTimes(clock::get, file);
        // a second for each test, a quarter to set up what holds it
        TestExecutionListener passingTime = new TestExecutionListener() {
            @Override
            public void executionStarted(TestIdentifier test) {
                clock.addAndGet(test.isTest() ? 1_000_000_000L : 250_000_000L);
            }
        };
        var config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestExecutionListeners(times, passingTime)
                .build();
        LauncherFactory.create(config)
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(Sample.class))
                        .filters(EngineFilter.includeEngines("junit-jupiter"))
                        .build());
        assertThat(file).content().isEqualTo("slow\t2\t2250\nunit\t1\t1500\n");
    }
}
