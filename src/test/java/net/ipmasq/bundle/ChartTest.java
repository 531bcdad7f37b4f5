package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Helm's own engine takes the chart: it lints, and renders with its defaults, every example and every profile. */
class ChartTest {
    private static final String NAME = "cce-ip-masq-agent";

    @Test
    void lintsStrictly() {
        assertThat(Rendered.lint()).startsWith("passed");
    }

    @Test
    void defaultsAreTheseObjectsAndNoOther() {
        assertThat(Rendered.defaults().names())
                .containsExactlyInAnyOrder(
                        "ServiceAccount/" + NAME,
                        "ConfigMap/" + NAME,
                        "ConfigMap/" + NAME + "-profile",
                        "Role/" + NAME,
                        "RoleBinding/" + NAME,
                        "ClusterRole/" + NAME + "-node",
                        "ClusterRoleBinding/" + NAME + "-node",
                        "DaemonSet/" + NAME);
    }

    static List<Path> examples() {
        return Bundle.examples();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleRendersToObjectsThatKubernetesKnows(Path example) {
        Rendered rendered = Rendered.of(example);
        Set<String> names = new HashSet<>();
        for (Map<String, Object> document : rendered.documents()) {
            HasMetadata object = Serialization.unmarshal(Serialization.asJson(document));
            assertThat(names.add(Rendered.name(document))).isTrue();
            // kinds of the Prometheus operator have no model here
            boolean monitoring = object.getApiVersion().startsWith("monitoring.coreos.com/");
            assertThat(object instanceof GenericKubernetesResource).isEqualTo(monitoring);
            assertThat(withoutUnknownFields(document, object)).isEqualTo(document);
        }
        assertUsable(rendered);
    }

    /** What the model keeps of a document: a misspelt field would be gone, or in the additional properties. */
    private static Map<String, Object> withoutUnknownFields(Map<String, Object> document, HasMetadata object) {
        if (object instanceof GenericKubernetesResource) {
            return document;
        }
        assertThat(Serialization.asJson(object)).doesNotContain("additionalProperties");
        return Bundle.documents(Serialization.asYaml(object)).getFirst();
    }

    /** The agent takes what is in the ConfigMaps, without a warning. */
    private static void assertUsable(Rendered rendered) {
        ProviderProfile profile = profile(rendered);
        assertThat(profile.configMap().name()).isEqualTo(NAME);
        ConfigOutcome outcome = ConfigJudge.judge(ConfigReader.read(rendered.data(NAME, "config")), profile);
        assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
        assertThat(outcome.problems()).isEmpty();
    }

    private static ProviderProfile profile(Rendered rendered) {
        byte[] yaml = rendered.data(NAME + "-profile", "profile").getBytes(StandardCharsets.UTF_8);
        ProfileReader.Result read = ProfileReader.read(yaml, "otherwise");
        assertThat(read).isInstanceOf(ProfileReader.Good.class);
        assertThat(((ProfileReader.Good) read).warnings()).isEmpty();
        return ((ProfileReader.Good) read).profile();
    }

    static Stream<String> profiles() {
        return BuiltInProfiles.names().stream().filter(name -> !name.equals("built-in"));
    }

    /** But for the place of the ConfigMap, the rendered profile is the one that is built in. */
    @ParameterizedTest
    @MethodSource("profiles")
    void everyProfileRendersAsItself(String name) {
        ProviderProfile rendered = profile(Rendered.of("profile: {name: " + name + "}"));
        ProviderProfile builtIn = BuiltInProfiles.profile(name).orElseThrow();
        assertThat(rendered.name()).isEqualTo(name);
        assertThat(rendered.defaults()).isEqualTo(builtIn.defaults());
        assertThat(rendered.chain()).isEqualTo(builtIn.chain());
        assertThat(rendered.ipv6()).isEqualTo(builtIn.ipv6());
        assertThat(rendered.randomFully()).isEqualTo(builtIn.randomFully());
        assertThat(rendered.enforced()).isEqualTo(builtIn.enforced());
    }

    @Test
    void overridesReplaceWholeKeysOfTheProfileEvenByNothing() {
        ProviderProfile profile = profile(Rendered.of("""
                profile:
                  name: gke
                  overrides:
                    ipv6: "auto"
                    cidrLimit: 100000000
                    enforced: [169.254.169.254/32]
                    defaults: {nonMasqueradeCIDRs: [], masqOutBound: false}
                """));
        assertThat(profile.ipv6().value().key()).isEqualTo("auto");
        assertThat(profile.cidrLimit().value()).isEqualTo(100_000_000);
        assertThat(profile.enforced()).hasToString("[169.254.169.254/32]");
        assertThat(profile.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS).value())
                .isEmpty();
        assertThat(profile.defaults().get(ConfigKey.MASQ_OUT_BOUND).value()).isFalse();
        assertThat(profile.chain().value()).isEqualTo("IP-MASQ");
    }

    @Test
    void theConfigurationOfTheValuesBecomesTheFirstTextOfTheConfigMap() {
        String text = Rendered.of("config: {masqOutBound: false, cidrLimit: 70, masqueradeCIDRs: ['10.10.10.10/32']}")
                .data(NAME, "config");
        assertThat(text)
                .isEqualToIgnoringNewLines("cidrLimit: 70\nmasqOutBound: false\nmasqueradeCIDRs:\n- 10.10.10.10/32\n");
    }

    @Test
    void anotherNamespaceIsRefused() {
        assertThatThrownBy(() -> Rendered.inNamespace("default", "{}")).hasMessageContaining("--namespace kube-system");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chart/files/profiles", "profiles"})
    void theProfilesAreThoseOfTheAgent(String copy) {
        List<Path> originals = Bundle.files(Bundle.PROFILES);
        assertThat(Bundle.files(Bundle.ROOT.resolve(copy)))
                .extracting(Path::getFileName)
                .isEqualTo(originals.stream().map(Path::getFileName).toList());
        for (Path original : originals) {
            assertThat(Bundle.ROOT.resolve(copy).resolve(original.getFileName()))
                    .hasSameTextualContentAs(original);
        }
    }
}
