package net.ipmasq.generator;

/** Makes a value from random choices only: the same choices give an equal value. */
@FunctionalInterface
public interface Generator<T> {
    T from(Draws draws);
}
