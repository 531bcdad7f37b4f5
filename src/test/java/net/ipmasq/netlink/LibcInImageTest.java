package net.ipmasq.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
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
}
