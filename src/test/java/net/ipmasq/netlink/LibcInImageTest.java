package net.ipmasq.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.graalvm.nativeimage.c.function.CFunction;
import org.graalvm.nativeimage.c.function.CFunction.Transition;
import org.junit.jupiter.api.Test;

/** A function that one of the two lacks would be found when a native image is built, or when it fails on a node. */
class LibcInImageTest {
    private static List<String> shapes(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !Modifier.isPrivate(method.getModifiers()))
                .map(LibcInImageTest::shape)
                .sorted()
                .toList();
    }

    private static String shape(Method method) {
        return Modifier.toString(method.getModifiers()) + " " + method.getReturnType() + " " + method.getName()
                + Arrays.toString(method.getParameterTypes()) + Arrays.toString(method.getExceptionTypes());
    }

    @Test
    void hasEachFunctionOfTheLibraryAndNoOther() {
        assertThat(shapes(LibcInImage.class)).hasSizeGreaterThan(7).isEqualTo(shapes(Libc.class));
        assertThat(LibcInImage.class.getAnnotation(TargetClass.class).value()).isEqualTo(Libc.class);
    }

    @Test
    void takesThePlaceOfEachOfThem() {
        assertThat(LibcInImage.class.getDeclaredMethods())
                .filteredOn(method -> !method.isSynthetic())
                .allMatch(method -> method.isAnnotationPresent(Substitute.class));
    }

    /** A transition lets the image come between a call and the reading of errno; only a call that blocks needs one. */
    @Test
    void onlyTheCallThatWaitsMakesATransition() {
        assertThat(functions())
                .hasSizeGreaterThan(7)
                .filteredOn(method -> method.getAnnotation(CFunction.class).transition() != Transition.NO_TRANSITION)
                .extracting(Method::getName)
                .containsExactly("poll");
        assertThat(functions())
                .extracting(method -> method.getAnnotation(CFunction.class).value())
                .contains("__errno_location")
                .doesNotContain("");
    }

    private static List<Method> functions() {
        return Arrays.stream(LibcInImage.class.getDeclaredClasses())
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .toList();
    }

    /** An image initializes both when it is built, where nothing may be linked. */
    @Test
    void neitherHasAnythingToInitialize() {
        for (Class<?> type : List.of(Libc.class, LibcInImage.class)) {
            assertThat(type.getDeclaredFields())
                    .as(type.getName())
                    .allMatch(field -> field.getType() == int.class && Modifier.isFinal(field.getModifiers()));
        }
    }
}
