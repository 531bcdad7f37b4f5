package net.ipmasq.profile;

/** An effective value and where it comes from. */
public record Value<T>(T value, Origin origin) {}
