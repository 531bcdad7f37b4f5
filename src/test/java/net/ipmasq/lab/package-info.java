/**
 * Real kernels for tests: network namespaces, a pod, a node and the world joined by veth, and an oracle that says from
 * a listing what the kernel does with a packet. Nothing here shares code with what it judges but {@code net.ipmasq.net}.
 */
package net.ipmasq.lab;
