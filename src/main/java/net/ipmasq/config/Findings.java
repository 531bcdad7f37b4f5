package net.ipmasq.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * Collects what readers find, so that one reading reports everything at once: the first hundred, errors before warnings
 * and then by place, and every note. The rest is only counted, so that a text full of errors costs no more than others.
 */
public final class Findings {
    /** A longer list would not be read. */
    public static final int MOST = 100;

    private static final Comparator<Place> FIRST_TO_LAST = Comparator.comparing(Place::severity)
            .thenComparingInt(Place::line)
            .thenComparingInt(Place::column)
            .thenComparingInt(Place::number);

    /** Where a finding ranks. The number keeps the order of those that share a place. */
    private record Place(Problem.Severity severity, int line, int column, int number) {}

    private record Kept(Place place, Problem problem) {}

    private final PriorityQueue<Kept> kept =
            new PriorityQueue<>(Comparator.comparing(Kept::place, FIRST_TO_LAST).reversed());
    private final Map<Problem.Severity, Integer> omitted = new EnumMap<>(Problem.Severity.class);

    /** Kept before all others, since a usual text has a few; at most a hundred. */
    private final List<Problem> notes = new ArrayList<>();

    private int number;
    private boolean errors;

    public void add(ProblemCode code, Position at, String path, String message, String fix) {
        add(code.at(at, path, message, fix));
    }

    public void add(Problem problem) {
        if (problem.isNote()) {
            addNote(problem);
            return;
        }
        Place place = new Place(problem.severity(), problem.line(), problem.column(), number++);
        errors |= problem.isError();
        kept.add(new Kept(place, problem));
        makeRoom();
    }

    private void addNote(Problem note) {
        if (notes.size() < MOST) {
            notes.add(note);
            makeRoom();
        } else {
            omitted.merge(note.severity(), 1, Integer::sum);
        }
    }

    private void makeRoom() {
        if (kept.size() + notes.size() > MOST) {
            omitted.merge(kept.remove().place.severity, 1, Integer::sum);
        }
    }

    public void addAll(Problems more) {
        more.shown().forEach(this::add);
        more.omitted().counts().forEach((severity, count) -> {
            errors |= severity == Problem.Severity.ERROR;
            omitted.merge(severity, count, Integer::sum);
        });
    }

    /**
     * Counts a finding that would not be kept, so that its message need not be made.
     *
     * @return whether that was so; else the finding has to be added
     */
    public boolean onlyCounts(ProblemCode code, Position at) {
        Kept last = kept.peek();
        Place place = new Place(code.severity(), at.line(), at.column(), number);
        if (last == null || kept.size() + notes.size() < MOST || FIRST_TO_LAST.compare(place, last.place) < 0) {
            return false;
        }
        errors |= place.severity == Problem.Severity.ERROR;
        omitted.merge(place.severity, 1, Integer::sum);
        return true;
    }

    /** Whether any finding is an error, kept or not. */
    public boolean hasErrors() {
        return errors;
    }

    /** What was found, in the order of the text. */
    public Problems problems() {
        return new Problems(
                Stream.concat(
                                kept.stream()
                                        .sorted(Comparator.comparing(Kept::place, FIRST_TO_LAST))
                                        .map(Kept::problem),
                                notes.stream())
                        .sorted(Problem.IN_TEXT_ORDER)
                        .toList(),
                new Omitted(omitted));
    }
}
