package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read, in words. */
final class Unread {
    private Unread() {}

    static String why(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "there is no such file";
            case AccessDeniedException denied -> "permission denied";
            default -> String.valueOf(problem.getMessage());
        };
    }
}
