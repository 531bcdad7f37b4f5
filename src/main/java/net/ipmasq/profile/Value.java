package net.ipmasq.profile;

/** An effective value and whose it is. */
public record Value<T>(T value, Origin origin) {}
