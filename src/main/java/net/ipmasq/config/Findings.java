package net.ipmasq.config;

import java.util.ArrayList;
import java.util.List;

/** Collects what readers find, so that one reading reports everything at once. */
public final class Findings {
    private final List<Problem> problems = new ArrayList<>();

    public void add(ProblemCode code, Position at, String path, String message, String fix) {
        problems.add(code.at(at, path, message, fix));
    }

    public void addAll(List<Problem> more) {
        problems.addAll(more);
    }

    public boolean hasErrors() {
        return problems.stream().anyMatch(Problem::isError);
    }

    /** All of them, in the order of the text. */
    public List<Problem> inTextOrder() {
        return problems.stream().sorted(Problem.IN_TEXT_ORDER).toList();
    }
}
