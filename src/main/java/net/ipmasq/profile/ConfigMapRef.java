package net.ipmasq.profile;

/** Where the user's configuration lives in the cluster; the key is always {@code config}. */
public record ConfigMapRef(String namespace, String name) {}
