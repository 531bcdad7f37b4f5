package net.ipmasq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A simple name means one type in the whole source tree. Nested types may share theirs ({@code Drift.Kind},
 * {@code Origin.Kind}) as long as code outside names them together with the type they are nested in.
 */
class TypeNamesTest {
    private static final Pattern TYPE =
            Pattern.compile("(?m)^ *+(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed) )*+"
                    + "(?:class|record|interface|enum|@interface) ([A-Z]\\w*+)");
    private static final Pattern IMPORT_OF_NESTED =
            Pattern.compile("(?m)^import net\\.ipmasq\\.[a-z0-9.]+[A-Z]\\w*(?:\\.[A-Z]\\w*)*\\.([A-Z]\\w*);");

    @Test
    void namesOneTypeByEachTopLevelName() throws IOException {
        Map<String, List<String>> files = declarations();
        assertThat(files).hasSizeGreaterThan(400);
        List<String> shared = files.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1
                        && entry.getValue().stream().anyMatch(file -> isTopLevel(file, entry.getKey())))
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
        assertThat(shared).as("top-level types whose name another type has too").isEmpty();
    }

    @Test
    void namesNestedTypesThatShareANameWithTheirOuterType() throws IOException {
        Map<String, List<String>> files = declarations();
        List<String> wrong = new ArrayList<>();
        for (Path file : sources()) {
            IMPORT_OF_NESTED
                    .matcher(Files.readString(file))
                    .results()
                    .filter(found ->
                            files.getOrDefault(found.group(1), List.of()).size() > 1)
                    .map(found -> file + ": " + found.group())
                    .forEach(wrong::add);
        }
        assertThat(wrong).as("import the outer type instead, and name both").isEmpty();
    }

    private static boolean isTopLevel(String file, String name) {
        return file.endsWith("/" + name + ".java");
    }

    /** Paths of the files that declare a type, by the type's simple name. */
    private static Map<String, List<String>> declarations() throws IOException {
        Map<String, List<String>> files = new TreeMap<>();
        for (Path file : sources()) {
            TYPE.matcher(Files.readString(file))
                    .results()
                    .forEach(found -> files.computeIfAbsent(found.group(1), name -> new ArrayList<>())
                            .add(file.toString()));
        }
        return files;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src"))) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
