package net.ipmasq.bundle;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.bundle.cli.Fleet;
import net.ipmasq.json.JsonReader;

/**
 * One run of {@code ip-masq-fleet bundle}.
 *
 * @param out what it printed
 * @param err what it printed as errors
 */
public record BundleCli(int code, String out, String err) {

    public static BundleCli run(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> line = new ArrayList<>(List.of("bundle"));
        Stream.of(args).map(String::valueOf).forEach(line::add);
        int code = Fleet.program()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line.toArray(String[]::new));
        return new BundleCli(code, out.toString(), err.toString());
    }

    /** Builds. Returns the archive. */
    public static Path build(Path tree, Path out, Object... more) {
        List<Object> args = new ArrayList<>(List.of("build", "--bundle", tree, "--out", out));
        args.addAll(List.of(more));
        BundleCli run = run(args.toArray());
        if (run.code != 0) {
            throw new AssertionError(run.toString());
        }
        try (Stream<Path> files = Files.list(out)) {
            return files.filter(file -> file.toString().endsWith(".tgz"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Map<String, Object> json() {
        try {
            return JsonReader.object(out);
        } catch (IOException e) {
            throw new AssertionError(this.toString(), e);
        }
    }

    /** Code and file of each finding. */
    public List<String> findings(String key) {
        return Bundle.list(json().get(key)).stream()
                .map(Bundle::map)
                .map(finding -> finding.get("code") + " " + finding.get("file"))
                .toList();
    }
}
