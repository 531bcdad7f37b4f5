package net.ipmasq.bundle.archive;

import java.util.List;
import java.util.regex.Pattern;
import net.ipmasq.bundle.archive.BundleFinding.Code;

/**
 * Finds templates that can render something else in a cluster than here, where everything is judged for a first installation into
 * an empty cluster. Only the template of the user's ConfigMap may do so, because it has to; it is compared word for word.
 */
final class TemplateCheck {
    private static final Pattern COMMENT = Pattern.compile("(?s)\\{\\{-?\\s*/\\*.*?\\*/\\s*-?\\}\\}");
    private static final Pattern ACTION = Pattern.compile("(?s)\\{\\{.*?\\}\\}");
    private static final Pattern VARIES = Pattern.compile(
            "\\b(IsUpgrade|IsInstall|Revision|Capabilities|lookup|tpl|getHostByName|now|rand[A-Z]\\w*|uuidv4|gen[A-Z]\\w*)\\b");
    private static final String NOTES = "chart/templates/NOTES.txt";

    private TemplateCheck() {}

    static List<BundleFinding> judge(BundleFiles bundle) {
        return bundle.content().keySet().stream()
                .filter(path -> path.startsWith("chart/") && path.contains("/templates/"))
                // no manifest
                .filter(path -> !path.equals(BundleFiles.USER_TEMPLATE) && !path.equals(NOTES))
                .flatMap(path -> judge(path, bundle.text(path)).stream())
                .toList();
    }

    private static List<BundleFinding> judge(String path, String text) {
        return ACTION.matcher(COMMENT.matcher(text).replaceAll(""))
                .results()
                .flatMap(action -> VARIES.matcher(action.group()).results())
                .map(found -> found.group())
                .distinct()
                .map(word -> Code.TEMPLATE_VARIES.of(
                        path,
                        "it uses '" + word
                                + "', so it can render something else in a cluster than what is checked here",
                        "decide by a value instead"))
                .toList();
    }
}
