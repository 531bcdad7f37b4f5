package net.ipmasq.bundle.cluster.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionRangeTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            >=1.20.0-0     | v1.20.0                 | true
            >=1.20.0-0     | v1.28.3-gke.1203001     | true
            >=1.20.0-0     | v1.20.2+k3s1            | true
            >=1.20.0-0     | v1.19.16                | false
            >=1.20.0-0     | v2.0.0                  | true
            >=4.19.0       | 5.10.0-182.0.0.el8      | true
            >=4.19.0       | 4.19.90-17.ky10.aarch64 | true
            >=4.19.0       | 4.18.0-305.el8          | false
            >=4.19.0       | 3.10.0-1160.el7.x86_64  | false
            >=4.19.0       | 6.1                     | true
            >=1.20.0 <1.30 | v1.29.9                 | true
            >=1.20.0 <1.30 | v1.30.0                 | false
            >1.20 <=1.22.1 | 1.22.1                  | true
            1.22.1         | 1.22.1                  | true
            1.22.1         | 1.22.2                  | false
            """, delimiter = '|')
    void onlyNumbersCount(String range, String version, boolean holds) {
        assertThat(VersionRange.of(range).holds(version)).contains(holds);
    }

    @Test
    void whatIsNoVersionIsNotKnown() {
        assertThat(VersionRange.of(">=1").holds("unknown")).isEmpty();
        assertThatThrownBy(() -> VersionRange.of(">=x")).isInstanceOf(IllegalArgumentException.class);
    }
}
