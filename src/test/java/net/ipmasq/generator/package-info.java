/**
 * Property tests on plain JUnit: {@link net.ipmasq.generator.Property} tries many random values, and reports the seed and the
 * simplest value that fails.
 */
package net.ipmasq.generator;
