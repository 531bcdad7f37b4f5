package net.ipmasq.config;

/**
 * A place in a text.
 *
 * @param line 1-based; 0 means no place
 * @param column 1-based, in code points; 0 means no place
 */
public record Position(int line, int column) {
    /** For values that no text holds, such as built-in defaults. */
    public static final Position NONE = new Position(0, 0);
}
