package net.ipmasq.bundle.archive;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One right of the add-on, the smallest that can be granted on its own.
 *
 * @param kind as {@code addon.yaml} has it, for example {@code capability}; {@code namespace} and {@code cluster} for the API
 * @param what for example {@code NET_ADMIN}, or a verb and a resource; empty where the kind says it all
 * @param what it is limited to: an object's name, or {@code read-only}; empty without a limit
 */
public record Right(String kind, String what, String narrowed) implements Comparable<Right> {
    static final String NAMESPACE = "namespace";
    static final String CLUSTER = "cluster";
    static final String READ_ONLY = "read-only";

    static Right of(String kind, String what) {
        return new Right(kind, what, "");
    }

    /** Whether this right includes the other. */
    boolean covers(Right other) {
        return kind.equals(other.kind)
                && what.equals(other.what)
                && (narrowed.isEmpty() || narrowed.equals(other.narrowed));
    }

    /** Those of {@code asked} that none of {@code given} covers. */
    static List<Right> beyond(Collection<Right> given, Collection<Right> asked) {
        return asked.stream()
                .filter(right -> given.stream().noneMatch(one -> one.covers(right)))
                .sorted()
                .toList();
    }

    /** All rights that manifests grant. */
    static SortedSet<Right> of(Rendering.Manifests manifests) {
        SortedSet<Right> rights = new TreeSet<>(ApiRights.of(manifests.documents()));
        rights.addAll(PodRights.of(manifests.documents()));
        return rights;
    }

    /** All rights that {@code addon.yaml} declares, those on a condition too. */
    static SortedSet<Right> declared(BundleFiles bundle) {
        return declared(bundle, condition -> true);
    }

    /** The rights that it declares for these values: {@code when: "path.of.a.value: false"} is a condition. */
    static SortedSet<Right> declared(BundleFiles bundle, Map<String, Object> values) {
        return declared(
                bundle,
                condition -> Tree.mapping(condition, BundleFiles.ADDON).entrySet().stream()
                        .allMatch(wanted -> Tree.at(
                                        values, (Object[]) wanted.getKey().split("\\."))
                                .equals(Optional.ofNullable(wanted.getValue()))));
    }

    private static SortedSet<Right> declared(BundleFiles bundle, Predicate<String> holds) {
        Object permissions = Tree.map(bundle.yaml(BundleFiles.ADDON), "permissions");
        SortedSet<Right> rights = new TreeSet<>();
        for (Object one : conditional(permissions, "kubernetes", holds)) {
            rights.addAll(ApiRights.of(
                    Tree.text(one, "scope"),
                    List.of(Tree.text(one, "apiGroup")),
                    List.of(Tree.text(one, "resource")),
                    Tree.texts(one, "names"),
                    Tree.texts(one, "verbs")));
        }
        for (Object one : conditional(permissions, "node", holds)) {
            String narrowed = Tree.isTrue(one, "readOnly") ? READ_ONLY : "";
            rights.add(new Right(Tree.text(one, "kind"), Tree.text(one, "name"), narrowed));
        }
        return rights;
    }

    private static List<Object> conditional(Object permissions, String key, Predicate<String> holds) {
        return Tree.list(permissions, key).stream()
                .filter(one -> holds.test(Tree.text(one, "when")))
                .toList();
    }

    @Override
    public int compareTo(Right other) {
        return Comparator.comparing(Right::kind)
                .thenComparing(Right::what)
                .thenComparing(Right::narrowed)
                .compare(this, other);
    }

    /** For people: {@code namespace: get configmaps (cce-ip-masq-agent)}, {@code capability: NET_ADMIN}. */
    @Override
    public String toString() {
        String left = Stream.of(kind, what)
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + ": " + other)
                .orElse("");
        return narrowed.isEmpty() ? left : left + " (" + narrowed + ")";
    }
}
