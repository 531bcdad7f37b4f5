package net.ipmasq.observe;

import static net.ipmasq.text.JsonText.object;

import java.util.LinkedHashMap;
import java.util.Map;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.FamilyPass;
import net.ipmasq.agent.Version;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.IpFamily;

/** What the kernel shows, in the shape of {@link StatusDocument}, for when no agent runs. */
public final class KernelDocument {
    private KernelDocument() {}

    public static Map<String, Object> of(Assessment assessment, Observed counters) {
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            FamilyPass result = assessment.results().get(family);
            FamilyState kernel = counters.families().get(family);
            families.put(
                    family.key(),
                    result == null
                            ? object(
                                    "managed",
                                    false,
                                    "why",
                                    assessment.families().whyNot(family))
                            : object(
                                    "managed", true,
                                    "inSync", result.inSync(),
                                    "drift", Documents.drift(result.differences()),
                                    "failure",
                                            result.failure()
                                                    .map(StatusDocument::failure)
                                                    .orElse(null),
                                    "shadows", Documents.shadows(result.shadows()),
                                    "rules", StatusDocument.rules(kernel)));
        }
        return object(
                "version",
                Version.TEXT,
                "running",
                false,
                "inSync",
                assessment.inSync(),
                "backend",
                object(
                        "name", assessment.probe().backend(),
                        "reason", assessment.probe().reason()),
                "config",
                object(
                        "state", StatusDocument.state(assessment.outcome()),
                        "inForce", assessment.inForce().origin(),
                        "revision", assessment.desired().revision(),
                        "chain", assessment.desired().chain(),
                        "problems", Documents.problems(assessment.outcome().problems())),
                "families",
                families);
    }
}
