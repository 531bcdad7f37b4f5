package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A link to a section of a page leads to a heading of that page. */
class SectionLinksTest {
    private static final Pattern LINK = Pattern.compile("]\\(((?!https?:)[^)#\\s]*\\.md|)#([^)\\s]+)\\)");

    @TestFactory
    Stream<DynamicTest> everyLinkToASectionFindsIt() throws IOException {
        Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"));
        try (top;
                docs) {
            return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).sorted().toList().stream()
                    .map(file -> DynamicTest.dynamicTest(file.toString(), () -> check(file)));
        }
    }

    private static void check(Path file) throws IOException {
        Matcher link = LINK.matcher(Files.readString(file));
        while (link.find()) {
            Path page = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1));
            assertThat(Page.of(Files.readString(page)).headings().stream().map(SectionLinksTest::anchor))
                    .as("link in %s: %s", file, link.group())
                    .contains(link.group(2));
        }
    }

    /** The anchor that GitHub gives a heading: letters, digits, hyphens and underscores, in lower case. */
    private static String anchor(String heading) {
        return heading.replaceFirst("#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
