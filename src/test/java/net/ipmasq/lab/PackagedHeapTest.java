package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The runner that all tests of heap and size rest on: it must tell a full heap from a small one. */
class PackagedHeapTest {

    /** Holds as many MiB as its argument says. */
    static final class Holder {
        public static void main(String[] args) {
            List<byte[]> held = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                held.add(new byte[1 << 20]);
            }
            System.out.println("holds " + held.size());
        }
    }

    @Test
    void whatIsHeldIsWhatIsTold() {
        PackagedHeap.Run small = PackagedHeap.run(Holder.class, "4");
        PackagedHeap.Run big = PackagedHeap.run(Holder.class, "60");
        assertThat(small.code()).as(small.err()).isZero();
        assertThat(big.out()).contains("holds 60");
        assertThat(small.peakKiB()).isBetween(4L * 1024, 20L * 1024);
        assertThat(big.peakKiB()).isBetween(60L * 1024, 96L * 1024);
        assertThat(big.liveKiB()).isBetween(30L * 1024, big.peakKiB());
        assertThat(big.heap()).startsWith("peak heap 6");
    }

    @Test
    void theHeapEndsWhereThePackagedOneEnds() throws IOException {
        assertThat(PackagedHeap.flags()).contains("-Xmx96m", "-XX:+UseSerialGC");
        PackagedHeap.Run run = PackagedHeap.run(Holder.class, "120");
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("OutOfMemoryError");
    }
}
