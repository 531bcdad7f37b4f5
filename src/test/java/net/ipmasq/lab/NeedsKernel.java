package net.ipmasq.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test talks to a real kernel in namespaces of its own. Where a tool or a right is missing, it fails in CI (the
 * environment has {@code CI=true}) and is skipped by name elsewhere.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("kernel")
@ExtendWith(KernelCondition.class)
public @interface NeedsKernel {
    /** Programs that must be on PATH. */
    String[] tools() default {"ip", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"};
}
