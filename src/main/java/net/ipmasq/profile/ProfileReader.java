package net.ipmasq.profile;

import java.util.List;
import net.ipmasq.config.Findings;
import net.ipmasq.config.Position;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.Problems;
import net.ipmasq.config.SyntaxNode;
import net.ipmasq.config.SyntaxTree;

/** Reads a provider profile with the readers of configurations; stricter, since a provider's typo reaches a fleet. */
public final class ProfileReader {
    private ProfileReader() {}

    public sealed interface Result {}

    /**
     * A usable profile.
     *
     * @param findings none of them an error
     */
    public record Good(ProviderProfile profile, Problems findings) implements Result {
        /** In text order; those that are kept. */
        public List<Problem> warnings() {
            return findings.shown();
        }
    }

    /**
     * An unusable profile.
     *
     * @param findings at least one of them an error
     */
    public record Bad(Problems findings) implements Result {
        /** In text order; those that are kept. */
        public List<Problem> problems() {
            return findings.shown();
        }
    }

    /**
     * Reads a profile.
     *
     * @param nameOtherwise the name if the text has none, for example that of the file
     */
    public static Result read(byte[] yaml, String nameOtherwise) {
        return switch (SyntaxTree.parse(yaml)) {
            case SyntaxTree.Broken broken -> new Bad(Problems.of(List.of(broken.problem())));
            case SyntaxTree.Documents tree -> read(tree, nameOtherwise);
        };
    }

    private static Result read(SyntaxTree.Documents tree, String nameOtherwise) {
        Findings findings = new Findings();
        findings.addAll(tree.problems());
        if (tree.documents().size() > 1) {
            findings.add(
                    ProblemCode.MULTIPLE_DOCUMENTS,
                    tree.documents().get(1).at(),
                    "",
                    "a second YAML document starts here",
                    "a profile is one document; remove this '---' and what follows");
        }
        SyntaxNode root = tree.documents().isEmpty()
                ? new SyntaxNode.Mapping(List.of(), Position.NONE)
                : tree.documents().getFirst().root();
        ProviderProfile profile = profile(root, nameOtherwise, findings);
        Problems problems = findings.problems();
        return findings.hasErrors() ? new Bad(problems) : new Good(profile, problems);
    }

    private static ProviderProfile profile(SyntaxNode root, String nameOtherwise, Findings findings) {
        boolean empty = root.isNull()
                || root instanceof SyntaxNode.Mapping mapping
                        && mapping.entries().isEmpty();
        if (empty) {
            findings.add(
                    ProblemCode.PROFILE_EMPTY,
                    root.at(),
                    "",
                    "the profile has no keys",
                    "write at least 'name: NAME'; ip-masq-agent profile show cce prints a profile to start from");
        } else if (root instanceof SyntaxNode.Mapping mapping) {
            return new ProfileFields(nameOtherwise, findings).read(mapping);
        } else {
            findings.add(
                    ProblemCode.PROFILE_MAPPING_EXPECTED,
                    root.at(),
                    "",
                    "the profile is " + root.label() + "; keys with values belong here",
                    "write keys such as 'name: NAME'");
        }
        return ProviderProfile.BUILT_IN;
    }
}
