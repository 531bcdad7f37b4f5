package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why a request to the API server failed, in words for whoever has to fix it. */
final class ApiProblem {
    private ApiProblem() {}

    /** One line. */
    static String why(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof KubernetesClientException refused && refused.getCode() > 0) {
                return refused(refused);
            }
            if (cause instanceof SSLException insecure) {
                return "no secure connection to the API server: " + root(insecure)
                        + "; check the certificate authority that this agent was given";
            }
            if (cause instanceof TimeoutException) {
                return "the API server is out of reach: no answer in time";
            }
        }
        return problem instanceof Error
                ? "cannot be followed now: " + problem
                : "the API server is out of reach: " + root(problem);
    }

    private static String refused(KubernetesClientException refused) {
        return switch (refused.getCode()) {
            case 401 -> "the API server does not accept this agent's token (401)";
            case 403 -> "this agent's service account may not read it (403); the Role must allow get, list and watch";
            default -> "the API server answered with " + refused.getCode() + ": " + refused.getMessage();
        };
    }

    /** What a failure reports, and its first cause where it does not say that itself: the client's own words can be empty ones. */
    static String withCause(Throwable problem) {
        String said = Objects.requireNonNullElse(problem.getMessage(), problem.toString());
        String root = root(problem);
        return said.contains(root) ? said : said + " (" + root + ")";
    }

    /** What the first cause of a failure reports. */
    static String root(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }
}
