package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.BundleCli;
import net.ipmasq.lab.Slow;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A built bundle is taken; whatever somebody does to one is found and named. */
@Slow
class BundleVerifyTest {
    @TempDir
    Path dir;

    private final FakeImage image = new FakeImage("layer");
    private Path tar;
    private int builds;

    @BeforeEach
    void image() {
        tar = image.tar(dir.resolve("image.tar"));
    }

    private Path build(Path tree) {
        return BundleCli.build(tree, dir.resolve("out" + builds++), "--image", tar);
    }

    private static List<String> verify(Object... args) {
        List<Object> line = new ArrayList<>(List.of("verify", "-o", "json"));
        line.addAll(List.of(args));
        BundleCli run = BundleCli.run(line.toArray());
        List<String> findings = run.findings("findings");
        assertThat(run.code()).as(run.toString()).isEqualTo(findings.isEmpty() ? 0 : 3);
        assertThat(run.json()).containsEntry("valid", findings.isEmpty());
        return findings;
    }

    /** What is refused for a bundle made of a changed tree. */
    private List<String> verifyChanged(Consumer<BundleCopy> change) {
        BundleCopy copy = BundleCopy.in(dir);
        change.accept(copy);
        return verify(build(copy.root()));
    }

    @Test
    void theBuiltOneIsTaken() {
        Path built = build(Bundle.ROOT);
        assertThat(verify(built)).isEmpty();
        assertThat(verify(built, "--previous", built)).isEmpty();
    }

    @Test
    void withoutAnImageOnlyWhenThatIsSaid() {
        Path built = BundleCli.build(Bundle.ROOT, dir.resolve("without"));
        assertThat(verify(built)).containsExactly("digest-missing addon.yaml", "image-by-tag chart/values.yaml");
        BundleCli allowed = BundleCli.run("verify", built, "--allow-missing-digest");
        assertThat(allowed.code()).isZero();
        assertThat(allowed.out()).contains("warning: addon.yaml").contains(": valid");
    }

    @Test
    void changedAddedAndMissingFilesAreAllNamed() throws IOException {
        Map<String, byte[]> files =
                new TreeMap<>(BundleFiles.read(build(Bundle.ROOT)).content());
        files.put("SHA256SUMS", Sha256.sums(files));
        files.put("README.md", "other".getBytes(StandardCharsets.UTF_8));
        files.put("chart/templates/more.yaml", new byte[0]);
        files.remove("icon.svg");
        assertThat(verify(pack(tar -> files.forEach((path, content) -> file(tar, "b/" + path, content)))))
                .containsExactly(
                        "checksum-mismatch README.md",
                        "file-not-listed chart/templates/more.yaml",
                        "file-missing icon.svg");
    }

    @Test
    void checksumsMustBeThere() {
        assertThat(verify(pack(tar -> file(tar, "b/addon.yaml", new byte[0]))))
                .contains("checksums-missing SHA256SUMS", "file-required chart/Chart.yaml");
    }

    /** What would leave the directory, or be something else than a file, when somebody unpacks it. */
    @Test
    void nothingButRegularFilesBelowOneDirectory() {
        Path hostile = pack(tar -> {
            file(tar, "b/addon.yaml", new byte[0]);
            file(tar, "b/addon.yaml", new byte[1]);
            file(tar, "b/../../etc/passwd", new byte[0]);
            file(tar, "top", new byte[0]);
            file(tar, "other/file", new byte[0]);
            entry(tar, new TarArchiveEntry("b/symbolic", TarConstants.LF_SYMLINK), "/etc/passwd");
            entry(tar, new TarArchiveEntry("b/hard", TarConstants.LF_LINK), "b/addon.yaml");
            entry(tar, new TarArchiveEntry("b/pipe", TarConstants.LF_FIFO), "");
            entry(tar, new TarArchiveEntry("/absolute", true), "");
        });
        assertThat(verify(hostile))
                .contains(
                        "file-twice addon.yaml",
                        "path-unsafe b/../../etc/passwd",
                        "path-unsafe top",
                        "path-unsafe other/file",
                        "entry-not-regular b/symbolic",
                        "entry-not-regular b/hard",
                        "entry-not-regular b/pipe",
                        "path-unsafe /absolute");
    }

    @Test
    void whatIsNoArchiveIsSaid() throws IOException {
        Path file = Files.writeString(dir.resolve("file.tgz"), "text");
        assertThat(verify(file)).contains("archive-broken ");
        byte[] whole = Files.readAllBytes(build(Bundle.ROOT));
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThat(verify(file)).contains("archive-broken ");
        BundleCli absent = BundleCli.run("verify", dir.resolve("absent.tgz"));
        assertThat(absent.code()).isEqualTo(2);
        assertThat(absent.err()).contains("no such file");
    }

    /** One gigabyte of nothing is a megabyte of archive. */
    @Test
    void aBombIsNotUnpacked() {
        Path bomb = pack(tar -> file(tar, "b/addon.yaml", new byte[65 << 20]));
        assertThat(verify(bomb)).contains("archive-broken ");
    }

    @Test
    void everyRightHasToBeDeclared() {
        BundleCopy copy = BundleCopy.in(dir)
                .replace("chart/templates/rbac.yaml", "verbs: [get]\n", "verbs: [get, list]\n")
                .replace("chart/templates/rbac.yaml", "rules:\n  # the user's", """
                        rules:
                          - apiGroups: [""]
                            resources: [secrets]
                            verbs: [get]
                          # the user's""")
                .replace("chart/templates/daemonset.yaml", "\"NET_RAW\"]", "\"NET_RAW\", \"SYS_ADMIN\"]")
                .replace("chart/templates/daemonset.yaml", "privileged: false", "privileged: true")
                .replace(
                        "chart/templates/daemonset.yaml", "hostNetwork: true", "hostNetwork: true\n      hostPID: true")
                .replace("chart/templates/daemonset.yaml", "path: /lib/modules", "path: /")
                .replace(
                        "chart/templates/daemonset.yaml",
                        "mountPath: /lib/modules\n              readOnly: true",
                        "mountPath: /lib/modules");
        BundleCli run = BundleCli.run("verify", build(copy.root()));
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()
                        .lines()
                        .filter(line -> line.contains("not declared: "))
                        .map(line -> line.replaceFirst(".*not declared: (.*); take it.*", "$1")))
                .containsExactly(
                        "capability: SYS_ADMIN",
                        "cluster: list nodes",
                        "hostPID",
                        "hostPath: /",
                        "namespace: get secrets",
                        "privileged");
    }

    /** Rights that are in no rule and in no securityContext of the agent. */
    @Test
    void rightsComeByOtherWaysToo() {
        BundleCopy copy = BundleCopy.in(dir).write("chart/templates/more.yaml", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: all}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{kind: Group, name: "system:authenticated"}]
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingWebhookConfiguration
                metadata: {name: hook}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: job
                  namespace: default
                  annotations: {helm.sh/hook: pre-delete}
                spec:
                  template:
                    spec:
                      serviceAccountName: other
                      initContainers:
                        - name: first
                          image: busybox:latest
                          envFrom: [{secretRef: {name: token}}]
                      containers: []
                """);
        BundleCli run = BundleCli.run("verify", build(copy.root()));
        assertThat(run.out())
                .contains("not declared: binding: ClusterRole/cluster-admin")
                .contains("not declared: subject: Group/system:authenticated")
                .contains("not declared: object: admissionregistration.k8s.io/v1/MutatingWebhookConfiguration")
                .contains("not declared: object: batch/v1/Job in namespace default")
                .contains("not declared: serviceAccount: other")
                .contains("not declared: secret: token")
                .contains("not declared: seccomp: Unconfined")
                .contains("not declared: privilegeEscalation")
                .contains("not declared: capability: the runtime's default set")
                .contains("not declared: user: the image's")
                .contains("the image 'busybox:latest' is not a reference by digest");
    }

    @Test
    void aRightThatNoExampleBringsIsFound() {
        assertThat(verifyChanged(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "      hostNetwork: true",
                        "      hostNetwork: true\n      hostIPC: {{ eq .Values.agent.logFormat \"json\" }}")))
                .containsExactly("right-undeclared addon.yaml");
    }

    @Test
    void aDeclaredRightIsTaken() {
        assertThat(
                        verifyChanged(
                                copy -> copy.replace(
                                                "chart/templates/daemonset.yaml",
                                                "\"NET_RAW\"]",
                                                "\"NET_RAW\", \"SYS_ADMIN\"]")
                                        .replace(
                                                "addon.yaml",
                                                "    - kind: capability\n      name: NET_RAW\n",
                                                "    - {kind: capability, name: SYS_ADMIN}\n    - kind: capability\n      name: NET_RAW\n")))
                .isEmpty();
    }

    /** A right that is declared for one value is not given with another. */
    @Test
    void aRightCanBeDeclaredOnACondition() {
        Consumer<BundleCopy> declared = copy -> copy.replace(
                "addon.yaml",
                "    - kind: hostNetwork\n",
                "    - {kind: hostIPC, when: 'agent.logFormat: json'}\n    - kind: hostNetwork\n");
        assertThat(verifyChanged(declared.andThen(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "      hostNetwork: true",
                        "      hostNetwork: true\n      hostIPC: {{ eq .Values.agent.logFormat \"json\" }}"))))
                .isEmpty();
        assertThat(verifyChanged(declared.andThen(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "      hostNetwork: true",
                        "      hostNetwork: true\n      hostIPC: true"))))
                .containsExactly("right-undeclared addon.yaml");
    }

    @Test
    void imagesAreByDigest() {
        assertThat(verifyChanged(copy -> copy.replace("chart/values.yaml", "tag: \"\"", "tag: latest")))
                .containsExactly("image-by-tag chart/values.yaml");
        assertThat(verifyChanged(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "{{ include \"ip-masq-agent.image\" . | quote }}",
                        "ip-masq-agent:1.0.0")))
                .containsExactly("image-by-tag chart/values.yaml");
        assertThat(verifyChanged(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "{{ include \"ip-masq-agent.image\" . | quote }}",
                        "ip-masq-agent@sha256:" + "0".repeat(64))))
                .containsExactly("digests-differ chart/values.yaml");
    }

    /** Judged is what a first installation into an empty cluster gets; nothing may wait for a later day. */
    @Test
    void templatesThatRenderOtherwiseElsewhereAreRefused() {
        assertThat(verifyChanged(copy -> copy.write(
                                "chart/templates/later.yaml", "{{ if .Release.IsUpgrade }}kind: Evil{{ end }}\n")
                        .write("chart/templates/_later.tpl", "{{ lookup \"v1\" \"Secret\" \"\" \"\" }}\n")
                        .write("chart/templates/fine.yaml", "{{- /* no lookup */ -}}\n# lookup\n")))
                .containsExactlyInAnyOrder(
                        "template-varies chart/templates/later.yaml", "template-varies chart/templates/_later.tpl");
    }

    @Test
    void imagesOfEveryCaseAreTheDeclaredOne() {
        String other = "other@sha256:" + "0".repeat(64);
        assertThat(verifyChanged(copy -> copy.replace(
                        "chart/templates/daemonset.yaml",
                        "{{ include \"ip-masq-agent.image\" . | quote }}",
                        "{{ if eq .Values.profile.name \"gke\" }}" + other
                                + "{{ else }}{{ include \"ip-masq-agent.image\" . }}{{ end }}")))
                .containsExactly("digests-differ chart/files/profiles/gke.yaml");
        assertThat(verifyChanged(copy -> copy.write(
                        "examples/mirror.yaml",
                        "image: {registry: mirror.example, repository: a/b, digest: \"sha256:" + "1".repeat(64)
                                + "\"}\n")))
                .isEmpty();
    }

    @Test
    void theImageIsForEveryArchitecture() {
        Path one = new FakeImage("layer", "arm64").tar(dir.resolve("one.tar"));
        BundleCli built = BundleCli.run("build", "--out", dir.resolve("one"), "--image", one);
        assertThat(built.err()).contains("warning: addon.yaml: the image is for linux/arm64", "[platform-missing]");
        Path archive = BundleCli.build(Bundle.ROOT, dir.resolve("one"), "--image", one);
        assertThat(verify(archive)).containsExactly("platform-missing addon.yaml");
    }

    @Test
    void examplesAreValid() {
        BundleCopy copy = BundleCopy.in(dir)
                .write("examples/gke.yaml", "profile: {name: nobody}\n")
                .write("examples/unknown.yaml", "agent: {bakend: iptables}\n")
                .write("examples/bits.yaml", "config: {nonMasqueradeCIDRs: [10.1.2.3/8]}\n")
                .write("examples/overlap.yaml", """
                        config: {masqueradeCIDRs: [169.254.169.0/24]}
                        profile: {overrides: {enforced: [169.254.169.254/32]}}
                        """);
        BundleCli run = BundleCli.run("verify", build(copy.root()));
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out())
                .contains("error: examples/gke.yaml: the schema refuses it: ")
                .contains("error: examples/unknown.yaml: the schema refuses it: ")
                .contains("bakend")
                .contains("error: examples/bits.yaml: Helm refuses it: ")
                .contains("bits set after its prefix")
                .contains("error: examples/overlap.yaml: the agent would not accept ")
                .contains("[config-invalid]");
    }

    @Test
    void whatCannotBeReadIsNamed() {
        assertThat(verifyChanged(copy -> copy.write("examples/gke.yaml", "a: [")
                        .write("chart/values.schema.json", "{\"$ref\": \"https://example.com/schema\"}")))
                .containsExactly("file-unreadable examples/gke.yaml", "file-unreadable chart/values.schema.json");
    }

    @Test
    void versionsOnlyRise() {
        Path now = build(Bundle.ROOT);
        Path next = build(BundleCopy.in(dir).version("9.9.9").root());
        assertThat(verify(next, "--previous", now)).isEmpty();
        assertThat(verify(now, "--previous", next)).containsExactly("version-downgrade addon.yaml");
        Path other =
                build(BundleCopy.in(dir).replace("README.md", "add-on", "addon").root());
        assertThat(verify(other, "--previous", now)).containsExactly("version-reused addon.yaml");
        assertThat(verifyChanged(copy -> copy.replace("chart/Chart.yaml", "appVersion: ", "appVersion: 1")))
                .containsExactly("versions-differ chart/Chart.yaml");
    }

    @Test
    void whatAVersionCanFollowIsHeldTo() {
        Path now = build(Bundle.ROOT);
        BundleCopy next = BundleCopy.in(dir).version("9.9.9");
        Path jump = build(next.replace("addon.yaml", "upgradableFrom: []", "upgradableFrom: [9.9.8]")
                .root());
        assertThat(verify(jump, "--previous", now)).containsExactly("version-jump addon.yaml");
        Path step = build(next.replace("addon.yaml", "[9.9.8]", "[9.9.8, " + Bundle.version() + "]")
                .root());
        assertThat(verify(step, "--previous", now)).isEmpty();
    }

    @Test
    void theTemplateOfTheUsersConfigMapStays() {
        Path now = build(Bundle.ROOT);
        Path next = build(BundleCopy.in(dir)
                .version("9.9.9")
                .replace(BundleFiles.USER_TEMPLATE, "Yours to edit", "Yours")
                .root());
        assertThat(verify(next, "--previous", now))
                .containsExactly("user-template-changed " + BundleFiles.USER_TEMPLATE);
    }

    private Path pack(Consumer<TarArchiveOutputStream> content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            content.accept(tar);
            tar.finish();
            tar.close();
            return Files.write(dir.resolve("made" + builds++ + ".tgz"), bytes.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void file(TarArchiveOutputStream tar, String path, byte[] content) {
        try {
            TarArchiveEntry entry = new TarArchiveEntry(path);
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void entry(TarArchiveOutputStream tar, TarArchiveEntry entry, String link) {
        try {
            entry.setLinkName(link);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
