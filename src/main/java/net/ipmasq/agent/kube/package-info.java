/** Configuration, profile and answers through the Kubernetes API. The only package that knows its client. */
@NullMarked
package net.ipmasq.agent.kube;

import org.jspecify.annotations.NullMarked;
