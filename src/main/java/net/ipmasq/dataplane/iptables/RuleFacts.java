package net.ipmasq.dataplane.iptables;

/**
 * What matters to our rules of a rule that is not ours: where it leads and which packets it sees. Found in one walk over
 * its characters, without a list of its words, since there can be hundreds of thousands of such rules.
 */
final class RuleFacts {
    private enum Awaited {
        NOTHING,
        TARGET,
        ADDRESS_TYPE,
        MODE
    }

    private final String spec;
    private Awaited awaited = Awaited.NOTHING;
    private String target = "";
    private boolean goesTo;
    private boolean negated;
    private boolean narrowed;
    private boolean marked;
    private boolean unmarked;

    private RuleFacts(String spec) {
        this.spec = spec;
    }

    /** Reads what follows {@code -A CHAIN}. */
    static RuleFacts of(String spec) {
        RuleFacts facts = new RuleFacts(spec);
        int at = 0;
        while (at < spec.length()) {
            if (spec.charAt(at) == ' ') {
                at++;
            } else {
                int end = facts.end(at);
                facts.word(at, end);
                at = end;
            }
        }
        facts.unanswered();
        return facts;
    }

    /** The target or chain that it jumps or goes to; empty for a rule that does nothing. */
    String target() {
        return target;
    }

    /** Whether it goes to its target ({@code -g}), so that RETURN there does not come back to the chain of this rule. */
    boolean goesTo() {
        return goesTo;
    }

    /** Whether it sees only some of the packets that leave: by source, interface or anything but -d, -p. */
    boolean narrowed() {
        return narrowed;
    }

    boolean needsMark() {
        return marked;
    }

    /** Whether it returns all packets without a mark. */
    boolean returnsWithoutMark() {
        return unmarked && target.equals("RETURN");
    }

    /** Double quotes group, a backslash in them takes the next character as it is. */
    private int end(int start) {
        boolean quoted = false;
        int at = start;
        for (; at < spec.length(); at++) {
            char c = spec.charAt(at);
            if (quoted && c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ' ' && !quoted) {
                break;
            }
        }
        return Math.min(at, spec.length());
    }

    private void word(int start, int end) {
        if (spec.charAt(start) == '!' && end == start + 1) {
            unanswered();
            negated = true;
        } else if (negated || spec.charAt(start) == '-' && end > start + 1) {
            unanswered();
            option(spec.substring(start, end));
            negated = false;
        } else {
            value(start, end);
        }
    }

    private void option(String name) {
        switch (name) {
            case "-d", "-m" -> {}
            case "-j", "-g" -> {
                goesTo = name.equals("-g");
                awaited = Awaited.TARGET;
            }
            case "-p", "--comment", "--to-ports", "--random-fully", "--to-source", "--random", "--persistent", "--to" ->
                narrowed |= negated;
            case "--dst-type" -> {
                narrowed |= !negated;
                awaited = negated ? Awaited.ADDRESS_TYPE : Awaited.NOTHING;
            }
            case "--mode" -> awaited = Awaited.MODE;
            case "--mark" -> {
                narrowed = true;
                marked |= !negated;
                unmarked |= negated;
            }
            default -> narrowed = true;
        }
    }

    private void value(int start, int end) {
        switch (awaited) {
            case NOTHING -> {}
            case TARGET -> {
                int from = spec.charAt(start) == '"' ? start + 1 : start;
                int to = end > from && spec.charAt(end - 1) == '"' ? end - 1 : end;
                target = spec.substring(from, to);
            }
            case ADDRESS_TYPE -> narrowed |= !is("LOCAL", start, end);
            case MODE -> narrowed |= !is("random", start, end);
        }
        awaited = Awaited.NOTHING;
    }

    /** An option without the value that it needs may mean anything, so it narrows. */
    private void unanswered() {
        narrowed |= awaited == Awaited.ADDRESS_TYPE || awaited == Awaited.MODE;
        awaited = Awaited.NOTHING;
    }

    private boolean is(String word, int start, int end) {
        return end - start == word.length() && spec.startsWith(word, start);
    }
}
