package net.ipmasq.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** On a static field of type {@link PacketLab}: one lab for all tests of the class, there before {@code @BeforeAll} methods. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SharedLab.Extension.class)
public @interface SharedLab {

    /** Builds the lab and closes it after the last test. */
    final class Extension implements BeforeAllCallback, AfterAllCallback {
        private final List<PacketLab> labs = new ArrayList<>();

        @Override
        public void beforeAll(ExtensionContext context) throws IllegalAccessException {
            for (Field field : AnnotationSupport.findAnnotatedFields(context.getRequiredTestClass(), SharedLab.class)) {
                PacketLab lab = PacketLab.create();
                labs.add(lab);
                field.setAccessible(true);
                field.set(null, lab);
            }
        }

        @Override
        public void afterAll(ExtensionContext context) {
            labs.forEach(PacketLab::close);
            labs.clear();
        }
    }
}
