package net.ipmasq.dataplane.big;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.Sources;
import net.ipmasq.app.Assembly;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.lab.PackagedHeap;
import net.ipmasq.lab.Slow;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hundred times the rules of others cost time and hardly any memory: under the packaged flags, in a JVM of its own. */
@Slow
class ManyRulesTest {
    private static final int FEW = 3_000;
    private static final int MANY = 300_000;

    /** What is told one by one, and how many there are. */
    private static void print(List<Shadow> shadows) {
        long one = shadows.stream().filter(shadow -> shadow.count() == 1).count();
        System.out.println("told " + one + " of "
                + shadows.stream().mapToInt(Shadow::count).sum());
    }

    private static void printCpu() {
        ProcessHandle.current().info().totalCpuDuration().ifPresent(cpu -> System.out.println("cpu " + cpu.toMillis()));
    }

    /** One whole pass, and a second one that finds everything in order. */
    static final class IptablesPass {
        public static void main(String[] args) {
            PaperKernel kernel = new PaperKernel(new ForeignRules(Integer.parseInt(args[0])));
            Settings settings =
                    Settings.of(name -> name.equals("config") ? Optional.of("/nonexistent/config") : Optional.empty());
            var reconciler =
                    new Assembly(kernel, kernel).reconciler(settings, Sources.file(settings), Clock.systemUTC());
            AgentStatus first = reconciler.pass();
            AgentStatus second = reconciler.pass();
            System.out.println("in sync " + first.inSync() + " " + second.inSync() + ", written "
                    + second.families().get(IpFamily.IPV4).written());
            print(second.families().get(IpFamily.IPV4).shadows());
            printCpu();
        }
    }

    /** Reads chains of others, and a table of ours that somebody has filled. */
    static final class NftLook {
        public static void main(String[] args) {
            PaperKernel kernel = new PaperKernel(new ForeignRules(Integer.parseInt(args[0])));
            var dataplane = new NftablesDataplane(kernel, kernel);
            FamilyState state = dataplane
                    .observe("IP-MASQ-AGENT", EnumSet.of(IpFamily.IPV4))
                    .families()
                    .get(IpFamily.IPV4);
            System.out.println("in sync " + (state instanceof FamilyState.Absent) + " true, written 0");
            print(
                    state instanceof FamilyState.Absent(List<Shadow> shadows)
                            ? shadows
                            : ((FamilyState.Present) state).shadows());
            printCpu();
        }
    }

    private static long number(PackagedHeap.Run run, String word) {
        return run.out()
                .lines()
                .filter(line -> line.startsWith(word + " "))
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(classes = {IptablesPass.class, NftLook.class})
    void aHundredTimesTheRulesFitTheHeap(Class<?> main) {
        PackagedHeap.Run few = PackagedHeap.run(main, String.valueOf(FEW));
        PackagedHeap.Run many = PackagedHeap.run(main, String.valueOf(MANY));
        for (PackagedHeap.Run run : Set.of(few, many)) {
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err()).doesNotContain("OutOfMemoryError");
            assertThat(run.out()).contains("in sync true true, written 0").contains("told 100 of ");
        }
        System.out.println(main.getSimpleName() + ", " + FEW + " rules of others: " + few.heap() + ", cpu "
                + number(few, "cpu") + " ms; " + MANY + ": " + many.heap() + ", cpu " + number(many, "cpu") + " ms");
        assertThat(many.liveKiB()).isLessThan(40 * 1024);
    }
}
