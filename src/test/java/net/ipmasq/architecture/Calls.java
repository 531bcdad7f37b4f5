package net.ipmasq.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the code of some classes calls, by name: methods, constructors, and references to them. */
final class Calls {
    private final Set<JavaClass> types;

    /**
     * A call or a method reference.
     *
     * @param in name of the class that it is in
     * @param target class and member, for example {@code java.lang.System.nanoTime}; {@code <init>} for a constructor
     */
    record Call(String in, String target) {}

    Calls(Collection<JavaClass> types) {
        this.types = Set.copyOf(types);
    }

    /** All of them. */
    Stream<Call> all() {
        return types.stream()
                .flatMap(type -> type.getCodeUnits().stream())
                .flatMap(unit -> accesses(unit).stream().map(Calls::call));
    }

    /**
     * Those that run when one of the classes is initialized: of its static initializer, and of what that calls in these
     * classes, to any depth. A lambda counts as called where it is written. Calls through an interface end the search.
     */
    Stream<Call> ofInitializers() {
        Set<JavaCodeUnit> seen = new HashSet<>();
        Deque<JavaCodeUnit> next = new ArrayDeque<>();
        types.forEach(type -> type.getStaticInitializer().ifPresent(next::add));
        List<Call> found = new ArrayList<>();
        while (!next.isEmpty()) {
            JavaCodeUnit unit = next.remove();
            if (!seen.add(unit)) {
                continue;
            }
            for (JavaAccess<? extends CodeUnitAccessTarget> access : accesses(unit)) {
                found.add(call(access));
                access.getTarget()
                        .resolveMember()
                        .filter(member -> types.contains(member.getOwner()))
                        .ifPresent(next::add);
            }
        }
        return found.stream();
    }

    private static List<JavaAccess<? extends CodeUnitAccessTarget>> accesses(JavaCodeUnit unit) {
        List<JavaAccess<? extends CodeUnitAccessTarget>> all = new ArrayList<>(unit.getCallsFromSelf());
        all.addAll(unit.getCodeUnitReferencesFromSelf());
        return all;
    }

    private static Call call(JavaAccess<? extends CodeUnitAccessTarget> access) {
        JavaMember origin = access.getOrigin();
        return new Call(
                origin.getOwner().getName(),
                access.getTargetOwner().getName() + "." + access.getTarget().getName());
    }
}
