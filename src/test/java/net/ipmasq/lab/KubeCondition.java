package net.ipmasq.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides for {@link NeedsKube}: run, skip with the reason, or (in CI) fail with the reason. */
final class KubeCondition implements ExecutionCondition {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Asked once for a JVM, since it starts the programs to see whether they run. */
    private static final class Answer {
        static final List<String> MISSING = missing();
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return judge(Answer.MISSING, "true".equals(System.getenv("CI")));
    }

    static ConditionEvaluationResult judge(List<String> missing, boolean ci) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("an API server can be started");
        }
        String reason = "needs a real API server (scripts/kube-apiserver.sh build): " + String.join("; ", missing);
        if (ci) {
            // a skip would let a build without these tests look green
            throw new IllegalStateException(reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }

    private static List<String> missing() {
        return switch (Programs.run(List.of(KubeApi.script(), "check"), "", Map.of("PATH", Programs.path()), LIMIT)) {
            case Exited exited when exited.code() == 0 -> List.of();
            case Exited exited -> exited.stderr().strip().lines().toList();
            case CommandRunner.Outcome other -> List.of(other.toString());
        };
    }
}
