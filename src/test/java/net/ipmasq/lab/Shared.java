package net.ipmasq.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * On a static field: one value for all tests of the class, there before {@code @BeforeAll} methods. The field's type has a
 * static method {@code create} without arguments, and {@code close}.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Shared.Extension.class)
public @interface Shared {

    /** Makes the values and closes them after the last test. */
    final class Extension implements BeforeAllCallback, AfterAllCallback {
        private final List<AutoCloseable> made = new ArrayList<>();

        @Override
        public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
            for (Field field : AnnotationSupport.findAnnotatedFields(context.getRequiredTestClass(), Shared.class)) {
                Method create = field.getType().getDeclaredMethod("create");
                create.setAccessible(true);
                AutoCloseable value = (AutoCloseable) create.invoke(null);
                made.add(value);
                field.setAccessible(true);
                field.set(null, value);
            }
        }

        @Override
        public void afterAll(ExtensionContext context) throws Exception {
            for (AutoCloseable value : made) {
                value.close();
            }
            made.clear();
        }
    }
}
