package net.ipmasq.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** The test runs the packaged agent, jar or native binary: {@code ./dev test native} runs it with the latter. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("agent")
public @interface PackagedAgent {}
