package net.ipmasq.config;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import net.ipmasq.json.JsonText;
import net.ipmasq.observe.JsonDocuments;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;

/** Reads hostile texts in a quarter of their size and whole, and prints what was found and the CPU time of both. */
final class HostileTextsMain {
    private HostileTextsMain() {}

    /** The ways that texts come. */
    enum Way {
        CONFIG(text -> text, HostileTextsMain::judge),
        CHECK(text -> text, text -> ManifestReader.check(text).findings()),
        PROFILE(text -> text.replace("nonMasqueradeCIDRs", "enforced"), HostileTextsMain::profile),
        LITERAL(
                text -> "kind: ConfigMap\ndata:\n  config: |\n    " + text.replace("\n", "\n    "),
                text -> ManifestReader.check(text).findings()),
        QUOTED(
                text -> "kind: ConfigMap\ndata:\n  config: \""
                        + text.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                                .replace("\t", "\\t")
                        + "\"",
                text -> ManifestReader.check(text).findings());

        private final Function<String, String> wrap;
        private final Function<String, Problems> read;

        Way(Function<String, String> wrap, Function<String, Problems> read) {
            this.wrap = wrap;
            this.read = read;
        }
    }

    /** A way, and the size of the whole text. Prints {@code NAME SHOWN ERRORS WARNINGS JSON QUARTER WHOLE} for each. */
    public static void main(String[] args) {
        Way way = Way.valueOf(args[0]);
        int size = Integer.parseInt(args[1]);
        for (HostileTexts text : HostileTexts.values()) {
            // said before it is tried: an OutOfMemoryError has to have a name
            System.out.print(text + " ");
            System.out.flush();
            long quarter = read(way, text.text(size / 4)).millis;
            Read whole = read(way, text.text(size));
            System.out.println(whole.shown + " " + whole.errors + " " + whole.warnings + " " + whole.json + " "
                    + quarter + " " + whole.millis);
        }
    }

    /** What one reading gave; {@code millis} is CPU time. */
    private record Read(int shown, int errors, int warnings, int json, long millis) {}

    private static Read read(Way way, String text) {
        String wrapped = way.wrap.apply(text);
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Problems found = way.read.apply(wrapped);
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        // what travels on has to fit as well
        String json = JsonText.pretty(Map.of("problems", JsonDocuments.problems(found.shown())));
        return new Read(
                found.shown().size(),
                found.count(Problem.Severity.ERROR),
                found.count(Problem.Severity.WARNING),
                json.length(),
                took / 1_000_000);
    }

    private static Problems judge(String text) {
        ProviderProfile cce = BuiltInProfiles.profile("cce").orElseThrow();
        return ConfigJudge.judge(ConfigReader.read(text.getBytes(StandardCharsets.UTF_8)), cce)
                .findings();
    }

    private static Problems profile(String text) {
        return switch (ProfileReader.read(text.getBytes(StandardCharsets.UTF_8), "hostile")) {
            case ProfileReader.Good good -> good.findings();
            case ProfileReader.Bad bad -> bad.findings();
        };
    }
}
