package net.ipmasq.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, in words for people who do not know Java. */
public final class FileProblem {
    private FileProblem() {}

    /** The reason without the file's name, for example {@code permission denied}. */
    public static String why(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "there is no such file";
            case AccessDeniedException denied -> "permission denied";
            case FileSystemException other when other.getReason() != null -> String.valueOf(other.getReason());
            default -> String.valueOf(problem.getMessage());
        };
    }
}
