package net.ipmasq.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import net.ipmasq.dataplane.FamilyState.Shadow;
import org.junit.jupiter.api.Test;

/** Where chains of others lead, however many, however deep and in whatever order they are read. */
class JumpGraphTest {
    private final JumpGraph graph = new JumpGraph();
    private final BaseRules base = new BaseRules("POSTROUTING", graph);

    private static Supplier<String> text(String text) {
        return () -> text;
    }

    private void way(String from, String to, boolean narrowed) {
        graph.way(graph.chain(from), graph.chain(to), narrowed, text(from + (narrowed ? " some " : " all ") + to));
    }

    private void rewrite(String from, boolean narrowed) {
        graph.way(graph.chain(from), JumpGraph.REWRITE, narrowed, text(from + " rewrites"));
    }

    private List<Shadow> from(String... chains) {
        for (int i = 0; i < chains.length; i++) {
            base.add(i + 1, graph.chain(chains[i]), false, true, text("to " + chains[i]));
        }
        return base.shadows(true);
    }

    @Test
    void theWiderOfTwoWaysBetweenTheSameChainsCounts() {
        rewrite("Y", false);
        way("X", "Y", true);
        way("X", "Y", false);
        way("X", "Y", true);
        assertThat(from("X")).containsExactly(new Shadow.OneRule(false, true, 1, "to X => X all Y => Y rewrites"));
    }

    @Test
    void aWayMetBeforeByANarrowOneIsMetAgainByAWideOne() {
        way("X", "A", true);
        way("X", "B", false);
        way("A", "Y", false);
        way("B", "Y", false);
        rewrite("Y", false);
        assertThat(from("X")).singleElement().matches(shadow -> !shadow.narrowed());
    }

    @Test
    void aNarrowRuleOnAnyWayNarrowsTheWhole() {
        way("X", "Y", false);
        rewrite("Y", true);
        way("A", "B", true);
        rewrite("B", false);
        assertThat(from("X", "A", "C")).hasSize(2).allMatch(Shadow::narrowed);
    }

    @Test
    void waysThatGoRoundEnd() {
        way("X", "Y", false);
        way("Y", "X", false);
        assertThat(from("X")).isEmpty();
        rewrite("X", true);
        assertThat(base.shadows(true)).singleElement().matches(Shadow::narrowed);
    }

    @Test
    void toAcceptDecidesBeforeOursOnly() {
        graph.way(graph.chain("X"), JumpGraph.ACCEPT, false, text("X accepts"));
        base.add(1, graph.chain("X"), false, true, text("before"));
        base.add(2, graph.chain("X"), false, false, text("after"));
        assertThat(base.shadows(true)).singleElement().matches(Shadow::before);
        assertThat(base.shadows(false)).isEmpty();
    }

    /** Deeper than any stack, with its end read last; and each way is looked at twice at most for each of both questions. */
    @Test
    void tenThousandChainsInARowAreOneWay() {
        int depth = 10_000;
        for (int i = 0; i < depth; i++) {
            way("C" + i, "C" + (i + 1), i == depth / 2);
        }
        rewrite("C" + depth, false);
        List<Shadow> shadows = from("C0", "C" + (depth / 2 + 1));
        assertThat(shadows).extracting(Shadow::narrowed).containsExactly(true, false);
        assertThat(shadows.getFirst().text())
                .startsWith("to C0 => C0 all C1")
                .endsWith("more) => C10000 rewrites")
                .hasSizeLessThan(2_000);
        assertThat(graph.steps()).isLessThanOrEqualTo(4L * (depth + 1));
    }

    /** Each chain leads to each other: where every way was walked anew this did not end. */
    @Test
    void workGrowsAsTheWaysDo() {
        int chains = 300;
        for (int i = 0; i < chains; i++) {
            for (int j = 0; j < chains; j++) {
                way("C" + i, "C" + j, j % 2 == 0);
            }
        }
        rewrite("C7", true);
        String[] all = new String[chains];
        for (int i = 0; i < chains; i++) {
            all[i] = "C" + i;
        }
        List<Shadow> shadows = from(all);
        assertThat(shadows).hasSize(101);
        assertThat(shadows.stream().mapToInt(Shadow::count).sum()).isEqualTo(chains);
        assertThat(graph.steps()).isLessThanOrEqualTo(4L * (chains * chains + 1));
    }

    @Test
    void theFirstHundredAreToldAndTheOthersCountedByKind() {
        for (int i = 1; i <= 250; i++) {
            base.add(i, JumpGraph.REWRITE, i % 2 == 0, i <= 200, text("rule " + i));
        }
        List<Shadow> shadows = base.shadows(true);
        assertThat(shadows).hasSize(104);
        assertThat(shadows.subList(0, 100)).allMatch(shadow -> shadow.count() == 1);
        assertThat(shadows.get(99).text()).isEqualTo("rule 100");
        assertThat(shadows.subList(100, 104))
                .containsExactly(
                        new Shadow.More(false, true, 101, 50),
                        new Shadow.More(true, true, 102, 50),
                        new Shadow.More(false, false, 201, 25),
                        new Shadow.More(true, false, 202, 25));
        assertThat(shadows.get(100).text()).isEqualTo("(and 50 more rules of others)");
    }

    /** There is no room for the text of each, but who leads where is never lost. */
    @Test
    void aRuleWithoutRoomForItsTextIsToldByWhereItLeads() {
        for (int i = 0; i < 1_500; i++) {
            base.add(i + 1, graph.chain("D" + i), false, true, text("to D" + i));
            way("D" + i, "E", false);
        }
        base.add(1_501, graph.chain("E2"), false, true, text("to E2"));
        way("E2", "E3", false);
        rewrite("E3", false);
        assertThat(base.shadows(true))
                .containsExactly(
                        new Shadow.OneRule(
                                false,
                                true,
                                1_501,
                                "(rule 1501 of POSTROUTING, which leads to E2) => (a rule of E2 that leads to E3) => E3 rewrites"));
    }
}
