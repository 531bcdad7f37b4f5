package net.ipmasq.observe;

import static net.ipmasq.json.JsonText.object;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.ipmasq.agent.AgentVersion;
import net.ipmasq.agent.Assessment;
import net.ipmasq.agent.FamilyPass;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.PodNetwork;

/** What the kernel shows, in the shape of {@link StatusDocument}, for when no agent runs. */
public final class KernelDocument {
    private KernelDocument() {}

    /**
     * The document.
     *
     * @param pods what the findings for this node go by
     * @param why the reason why the document is not an agent's
     */
    public static Map<String, Object> of(Assessment assessment, Observed counters, PodNetwork pods, String why) {
        Problems found = assessment.outcome().findings().and(assessment.nodeFindings());
        List<Problem> problems = PodFindings.judge(
                found.shown(),
                assessment.inForce(),
                assessment.desired().families().keySet(),
                pods);
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            Map<String, Object> document = family(assessment, family, StatusDocument::failure);
            List<Map<String, Object>> rules =
                    StatusDocument.rules(counters.families().get(family));
            if (assessment.results().containsKey(family) && rules != null) {
                document.put("rules", rules);
            }
            families.put(family.key(), document);
        }
        Map<String, Object> config = object(
                "state", StatusDocument.state(assessment.outcome()),
                "inForce", assessment.inForce().origin(),
                "revision", assessment.desired().revision(),
                "chain", assessment.desired().chain(),
                "problems", JsonDocuments.problems(problems),
                "omitted", JsonDocuments.omitted(found));
        StatusDocument.putWhy(config, assessment.outcome());
        Probe probe = assessment.probe();
        return object(
                "version",
                AgentVersion.TEXT,
                "running",
                false,
                "whyNot",
                why,
                "profile",
                assessment.profile(),
                "inSync",
                assessment.inSync(),
                "backend",
                StatusDocument.backend(probe.backend(), probe.reason()),
                "config",
                config,
                "families",
                families);
    }

    /**
     * What one look found for a family.
     *
     * @param failure how a failure is shown
     */
    public static Map<String, Object> family(
            Assessment assessment, IpFamily family, Function<Failure, Object> failure) {
        FamilyPass result = assessment.results().get(family);
        return result == null
                ? object("managed", false, "why", assessment.families().whyNot(family))
                : object(
                        "managed", true,
                        "inSync", result.inSync(),
                        "drift", JsonDocuments.drift(result.differences()),
                        "failure", result.failure().map(failure),
                        "shadows", JsonDocuments.shadows(result.shadows()));
    }
}
