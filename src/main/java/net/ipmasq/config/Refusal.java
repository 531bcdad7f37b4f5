package net.ipmasq.config;

/** Thrown in a front end, at any depth, with the one problem after which parsing cannot go on. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    Refusal(Problem problem) {
        super(problem.message(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }

    static Refusal tooDeep(Position at) {
        return new Refusal(ProblemCode.TEXT_NESTING.at(
                at,
                "",
                "lists and mappings are nested more than " + SyntaxTree.MAX_DEPTH + " levels deep",
                "a configuration needs two levels: keys, and lists of CIDRs"));
    }
}
