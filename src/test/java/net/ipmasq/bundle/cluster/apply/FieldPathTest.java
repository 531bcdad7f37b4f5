package net.ipmasq.bundle.cluster.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class FieldPathTest {
    private static final String OBJECT = """
            metadata:
              labels: {a: "1", a.b/c: "2", a.b: "3"}
              finalizers: [x.y/z, other]
            spec:
              containers:
              - {name: one, image: i}
              - name: "b]\\"c"
                ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]
            """;

    private static Map<String, Object> object() {
        return new Yaml().load(OBJECT);
    }

    /** As a real server writes them; what is left shows that exactly that was taken. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            .metadata.labels.a                                                      | a=1
            .metadata.labels.a.b                                                    | a.b=3
            .metadata.labels.a.b/c                                                  | a.b/c=2
            .metadata.finalizers[="x.y/z"]                                          | x.y/z
            .spec.containers[name="one"].image                                      | , image=i
            .spec.containers[name="b]\\"c"].ports[containerPort=80,protocol="UDP"]   | {containerPort=80, protocol=UDP}
            .spec.containers[0]                                                     | {name=one, image=i}
            """)
    void exactlyTheFieldIsTaken(String path, String taken) {
        Map<String, Object> object = object();
        String before = object.toString();
        assertThat(FieldPath.remove(object, path)).isTrue();
        assertThat(before).contains(taken);
        assertThat(object.toString()).doesNotContain(taken).hasSizeLessThan(before.length());
        assertThat(FieldPath.remove(object, path)).isEqualTo(path.endsWith("[0]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".metadata.labels.b",
                ".spec.containers[name=\"two\"].image",
                ".spec.containers[5]",
                ".spec[0]",
                ".spec.containers[name=\"one\""
            })
    void whatIsNotThereIsNotTaken(String path) {
        Map<String, Object> object = object();
        assertThat(FieldPath.remove(object, path)).isFalse();
        assertThat(object).isEqualTo(object());
    }

    @Test
    void aMapThatIsEmptiedStays() {
        Map<String, Object> object = new Yaml().load("data: {profile: x}");
        assertThat(FieldPath.remove(object, ".data.profile")).isTrue();
        assertThat(object).hasToString("{data={}}");
    }
}
