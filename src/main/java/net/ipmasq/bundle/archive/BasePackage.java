package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.agent.UsageException;
import net.ipmasq.text.FileProblem;

/** A Debian package in the base of the image. */
public record BasePackage(String name, String version, String architecture) {

    /**
     * Reads a list as {@code dpkg-query --show} prints it: name, version and, if there is one, architecture, with blanks or
     * tabs between.
     */
    public static List<BasePackage> read(Path list) {
        List<BasePackage> packages = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(list)) {
                String[] words = line.replaceFirst("#.*", "").trim().split("\\s+");
                if (words.length == 2 || words.length == 3) {
                    String[] name = words[0].split(":", 2);
                    String architecture = words.length == 3 ? words[2] : name.length == 2 ? name[1] : "";
                    packages.add(new BasePackage(name[0], words[1], architecture));
                } else if (!words[0].isEmpty()) {
                    throw new UsageException(list + ": '" + line + "' is not NAME VERSION [ARCHITECTURE]");
                }
            }
        } catch (IOException e) {
            throw new UsageException(list + " cannot be read: " + FileProblem.why(e));
        }
        return packages.stream().distinct().toList();
    }

    /** Its package URL. */
    String purl() {
        String where = architecture.isEmpty() ? "" : "?arch=" + architecture;
        return "pkg:deb/debian/" + encoded(name) + "@" + encoded(version) + where;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%3A", ":");
    }

    /** The component of an SBOM. */
    Map<String, Object> component() {
        return object("type", "library", "bom-ref", purl(), "name", name, "version", version, "purl", purl());
    }
}
