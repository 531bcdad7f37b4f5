package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import net.ipmasq.bundle.cluster.preflight.AgentsCheck.Maker;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Omitted;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.ProviderProfile;

/** How this agent will read existing configurations, and what that changes. */
record ConfigCheck(String namespace, ProviderProfile profile) implements Check {
    /** Its absence means something else with Baidu's agent. Searched for in a text that is not valid. */
    private static final Pattern MASQ_OUT_BOUND = Pattern.compile("(?im)(?:^|[{,])\\s*[\"']?masqOutBound[\"']?\\s*:");

    /** What older agents accepted, and what they made of it. */
    private static final Map<String, String> MIGRATION = Map.of(
            ProblemCode.DUPLICATE_KEY.code(), "; older agents took the last of them",
            ProblemCode.MULTIPLE_DOCUMENTS.code(), "; older agents read the first only",
            ProblemCode.CIDR_DNS_NAME.code(), "; Baidu's agent resolved it at every sync",
            ProblemCode.ITEM_NULL.code(), "; older agents put a default in its place");

    /** ConfigMaps of other agents, which this one does not read. */
    private static final List<String> OTHERS = List.of(
            "ip-masq-agent",
            "ip-masq-agent-config",
            "azure-ip-masq-agent-config",
            "azure-ip-masq-agent-config-reconciled");

    @Override
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<PreflightFinding> findings = new ArrayList<>();
        Optional<ConfigMap> ours = cluster.configMap(namespace, Preflight.NAME);
        ours.ifPresent(map -> findings.addAll(judge(map)));
        findings.addAll(baidu(cluster, ours));
        for (String name : OTHERS) {
            cluster.configMap(namespace, name).ifPresent(map -> findings.addAll(other(name, map, ours.isPresent())));
        }
        return findings;
    }

    private Resource resource(String name) {
        return new Resource("ConfigMap", namespace, name);
    }

    private List<PreflightFinding> judge(ConfigMap map) {
        Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
        ConfigOutcome outcome = ConfigJudge.judge(ConfigReader.readData(data, namespace, Preflight.NAME), profile);
        List<PreflightFinding> findings = new ArrayList<>();
        findings.add(PreflightFinding.Severity.INFO.of(
                "ConfigKept",
                outcome instanceof ConfigOutcome.Loaded
                        ? "the ConfigMap is there, and valid; it is kept as it is"
                        : "the ConfigMap is there; it is kept as it is, but its content is not valid",
                "",
                List.of(resource(Preflight.NAME))));
        outcome.problems().forEach(problem -> findings.add(finding(problem, Preflight.NAME)));
        Omitted omitted = outcome.findings().omitted();
        if (!omitted.isEmpty()) {
            boolean errors = omitted.count(Problem.Severity.ERROR) > 0;
            findings.add(new PreflightFinding(
                    errors ? PreflightFinding.Severity.ERROR : PreflightFinding.Severity.WARNING,
                    errors ? "ConfigInvalid" : "ConfigWarning",
                    omitted.text(),
                    "fix those that are shown first",
                    List.of(resource(Preflight.NAME))));
        }
        return findings;
    }

    private PreflightFinding finding(Problem problem, String name) {
        String migration = MIGRATION.getOrDefault(problem.code(), "");
        String place = problem.line() == 0 ? "" : "line " + problem.line() + ", column " + problem.column() + ": ";
        String path = problem.path().isEmpty() ? "" : problem.path() + ": ";
        return new PreflightFinding(
                severity(problem),
                switch (problem.severity()) {
                    case ERROR -> migration.isEmpty() ? "ConfigInvalid" : "ConfigNeedsMigration";
                    case WARNING -> "ConfigWarning";
                    case NOTE -> "ConfigNote";
                },
                place + path + problem.message() + migration + " (" + problem.code() + ")",
                problem.fix(),
                List.of(resource(name)));
    }

    private static PreflightFinding.Severity severity(Problem problem) {
        return switch (problem.severity()) {
            case ERROR -> PreflightFinding.Severity.ERROR;
            case WARNING -> PreflightFinding.Severity.WARNING;
            case NOTE -> PreflightFinding.Severity.INFO;
        };
    }

    /** In its code masqOutBound is false unless set, or where the ConfigMap was deleted; here it is the profile's. */
    private List<PreflightFinding> baidu(ClusterReader cluster, Optional<ConfigMap> ours) {
        boolean runs = AgentsCheck.agents(cluster, namespace, List.of()).stream()
                .anyMatch(agent -> agent.maker() == Maker.BAIDU);
        if (!runs
                || ours.filter(this::hasMasqOutBound).isPresent()
                || !profile.defaults().get(ConfigKey.MASQ_OUT_BOUND).value()) {
            return List.of();
        }
        return List.of(PreflightFinding.Severity.WARNING.of(
                "MigrationMasqOutBound",
                (ours.isPresent() ? "masqOutBound is absent" : "there is no ConfigMap")
                        + ": with Baidu's agent that means false, so pods keep their address towards IPv4 destinations outside;"
                        + " here it means the profile's true, so they get the node's",
                "set masqOutBound: false in the ConfigMap before installing if it is to stay so",
                List.of(resource(Preflight.NAME))));
    }

    private boolean hasMasqOutBound(ConfigMap map) {
        Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
        return ConfigJudge.judge(ConfigReader.readData(data, namespace, Preflight.NAME), profile)
                        instanceof ConfigOutcome.Loaded loaded
                ? loaded.config().get(ConfigKey.MASQ_OUT_BOUND).isPresent()
                : MASQ_OUT_BOUND.matcher(data.getOrDefault("config", "")).find();
    }

    private List<PreflightFinding> other(String name, ConfigMap map, boolean oursIsThere) {
        List<PreflightFinding> findings = new ArrayList<>();
        findings.add(PreflightFinding.Severity.WARNING.of(
                "ConfigNotRead",
                "this ConfigMap belongs to another agent; this one reads " + Preflight.NAME,
                (oursIsThere ? "move what is still wanted into " : "copy its text to the key config of ")
                        + Preflight.NAME + " before installing",
                List.of(resource(name))));
        Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
        data.forEach((key, text) -> ConfigJudge.judge(ConfigReader.read(text), profile).problems().stream()
                .forEach(problem -> findings.add(warning(finding(problem, name)))));
        return findings;
    }

    /** It has no effect until it is copied. */
    private static PreflightFinding warning(PreflightFinding error) {
        PreflightFinding.Severity severity = error.isError() ? PreflightFinding.Severity.WARNING : error.severity();
        return new PreflightFinding(severity, error.code(), error.message(), error.fix(), error.resources());
    }
}
