package net.ipmasq.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test talks to a real API server in a namespace of its own. Where its programs or the namespaces are missing, it
 * fails in CI and is skipped by name elsewhere; {@code scripts/kube-apiserver.sh build} brings the programs.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@NeedsKernel
@Tag("api")
@ExtendWith(KubeCondition.class)
public @interface NeedsKube {}
