/** Configuration, profile and Events through the Kubernetes API. The only package of the agent that knows the API client. */
@NullMarked
package net.ipmasq.agent.kube;

import org.jspecify.annotations.NullMarked;
