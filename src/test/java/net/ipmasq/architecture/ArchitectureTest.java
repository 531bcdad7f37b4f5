package net.ipmasq.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import net.ipmasq.dataplane.Backend;

/** The one-way dependency rule, and what the pure packages must not know. */
@AnalyzeClasses(packages = "net.ipmasq", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule DEPENDENCIES_GO_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("net")
            .definedBy("net.ipmasq.net..")
            .layer("text")
            .definedBy("net.ipmasq.text..")
            .layer("json")
            .definedBy("net.ipmasq.json..")
            .layer("config")
            .definedBy("net.ipmasq.config..")
            .layer("profile")
            .definedBy("net.ipmasq.profile..")
            .layer("policy")
            .definedBy("net.ipmasq.policy..")
            .layer("rules")
            .definedBy("net.ipmasq.rules..")
            .layer("dataplane")
            .definedBy("net.ipmasq.dataplane..")
            .layer("netlink")
            .definedBy("net.ipmasq.netlink..")
            .layer("agent")
            .definedBy("net.ipmasq.agent..")
            .layer("observe")
            .definedBy("net.ipmasq.observe..")
            .layer("bundle.archive")
            .definedBy("net.ipmasq.bundle.archive..")
            .layer("bundle.cluster")
            .definedBy("net.ipmasq.bundle.cluster..")
            .layer("cli")
            .definedBy("net.ipmasq.cli..")
            .layer("bundle.cli")
            .definedBy("net.ipmasq.bundle.cli..")
            .layer("app")
            .definedBy("net.ipmasq.app..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("bundle.cli")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("cli")
            .mayOnlyBeAccessedByLayers("bundle.cli", "app")
            .whereLayer("bundle.cluster")
            .mayOnlyBeAccessedByLayers("bundle.cli")
            .whereLayer("bundle.cluster")
            .mayOnlyAccessLayers(
                    "net",
                    "text",
                    "json",
                    "config",
                    "profile",
                    "policy",
                    "rules",
                    "dataplane",
                    "agent",
                    "bundle.archive")
            .whereLayer("bundle.archive")
            .mayOnlyBeAccessedByLayers("bundle.cluster", "bundle.cli")
            .whereLayer("bundle.archive")
            .mayOnlyAccessLayers("net", "text", "json", "config", "profile", "policy", "rules", "dataplane", "agent")
            .whereLayer("observe")
            .mayOnlyBeAccessedByLayers("cli", "app")
            .whereLayer("agent")
            .mayOnlyBeAccessedByLayers("observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli", "app")
            .whereLayer("dataplane")
            .mayOnlyBeAccessedByLayers(
                    "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli", "app")
            .whereLayer("netlink")
            .mayOnlyBeAccessedByLayers("dataplane", "agent", "app")
            .whereLayer("netlink")
            .mayNotAccessAnyLayer()
            .whereLayer("json")
            .mayOnlyBeAccessedByLayers(
                    "dataplane", "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli")
            .whereLayer("json")
            .mayNotAccessAnyLayer()
            .whereLayer("text")
            .mayNotAccessAnyLayer()
            .whereLayer("rules")
            .mayOnlyBeAccessedByLayers(
                    "dataplane", "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli", "app")
            .whereLayer("policy")
            .mayOnlyBeAccessedByLayers(
                    "rules", "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli")
            .whereLayer("profile")
            .mayOnlyBeAccessedByLayers(
                    "policy", "rules", "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli")
            .whereLayer("config")
            .mayOnlyBeAccessedByLayers(
                    "profile", "policy", "agent", "observe", "bundle.archive", "bundle.cluster", "bundle.cli", "cli");

    /** What the agent's program can reach decides what a native binary of it holds. */
    @ArchTest
    static final ArchRule THE_AGENT_HAS_ONE_COMMAND_OF_BUNDLE = noClasses()
            .that()
            .resideInAPackage("net.ipmasq.app..")
            .should()
            .transitivelyDependOnClassesThat()
            .resideInAnyPackage(
                    "net.ipmasq.bundle.archive..",
                    "net.ipmasq.bundle.cluster.preflight..",
                    "net.ipmasq.bundle.cluster.apply..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("net.ipmasq.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule THE_CORE_KNOWS_NO_FRAMEWORK_AND_DOES_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(
                    "net.ipmasq.net..",
                    "net.ipmasq.json..",
                    "net.ipmasq.config..",
                    "net.ipmasq.profile..",
                    "net.ipmasq.policy..",
                    "net.ipmasq.rules..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "io.quarkus..", "java.nio.file..", "java.lang.foreign..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ProcessBuilder.class);

    @ArchTest
    static final ArchRule RENDERERS_AND_PARSERS_ARE_PURE = noClasses()
            .that()
            .haveSimpleNameEndingWith("Renderer")
            .or()
            .haveSimpleNameEndingWith("Parser")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "io.quarkus..", "java.nio.file..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ProcessBuilder.class);

    @ArchTest
    static final ArchRule THE_FRAMEWORK_STAYS_AT_THE_RIM = noClasses()
            .that()
            .resideOutsideOfPackages("net.ipmasq.app..", "net.ipmasq.observe..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "jakarta..", "io.quarkus..", "io.vertx..", "io.micrometer..", "org.eclipse.microprofile..");

    /** So a new backend touches nothing outside; see "Add a backend" in CONTRIBUTING.md. */
    @ArchTest
    static final ArchRule ONLY_THE_DATAPLANE_TELLS_BACKENDS_APART = noClasses()
            .that()
            .resideOutsideOfPackage("net.ipmasq.dataplane..")
            .should()
            .accessFieldWhere(targetOwner(type(Backend.class)));

    @ArchTest
    static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
            classes().should().haveNameNotMatching(".*(Util|Utils|Manager|Helper|Helpers)");
}
