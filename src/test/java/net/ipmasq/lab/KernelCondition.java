package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides for {@link NeedsKernel}: run, skip with the reason, or (in CI) fail with the reason. */
final class KernelCondition implements ExecutionCondition {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<NeedsKernel> asked = context.getElement()
                .flatMap(element -> AnnotationSupport.findAnnotation(element, NeedsKernel.class))
                .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), NeedsKernel.class));
        List<String> missing = asked.map(needs -> missing(needs.tools())).orElse(List.of());
        return judge(missing, "true".equals(System.getenv("CI")));
    }

    static ConditionEvaluationResult judge(List<String> missing, boolean ci) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("namespaces and tools are there");
        }
        String reason = "needs a real kernel: " + String.join("; ", missing);
        if (ci) {
            // a skip would let a build without packet tests look green
            throw new IllegalStateException(reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }

    private static List<String> missing(String[] tools) {
        List<String> missing = new ArrayList<>();
        Set<String> packages = new LinkedHashSet<>();
        for (String tool : tools) {
            if (Programs.find(tool, Programs.path()).isEmpty()) {
                missing.add(tool + " is not on PATH");
                packages.add(packageOf(tool));
            }
        }
        if (!packages.isEmpty()) {
            missing.add("apt-get install " + String.join(" ", packages));
        }
        if (!hasCapability(CAP_NET_ADMIN) || !hasCapability(CAP_SYS_ADMIN)) {
            missing.add("CAP_NET_ADMIN and CAP_SYS_ADMIN are missing, run as root or in a privileged container");
        }
        return missing;
    }

    private static String packageOf(String tool) {
        return switch (tool) {
            case "ip" -> "iproute2";
            case "nft" -> "nftables";
            default -> tool.contains("tables") ? "iptables" : tool;
        };
    }

    private static boolean hasCapability(int bit) {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(
                            line.substring("CapEff:".length()).trim(), 16))
                    .anyMatch(mask -> (mask >>> bit & 1) == 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
