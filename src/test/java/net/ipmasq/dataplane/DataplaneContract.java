package net.ipmasq.dataplane;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every dataplane does, whatever is behind it. Each test gets a fresh, empty one. */
abstract class DataplaneContract extends ContractNode {
    @Test
    void anEmptyNodeShowsNothing() {
        assertThat(observe().families())
                .containsOnlyKeys(IPV4, IPV6)
                .allSatisfy((family, state) -> assertThat(state).isEqualTo(new FamilyState.Absent(List.of())));
        assertThat(hand().writes()).isZero();
    }

    @Test
    void applyOnAnEmptyNodeWritesOncePerFamilyAndTheSecondWritesNothing() {
        assertThat(apply())
                .allSatisfy((family, outcome) -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                ApplyOutcome.Applied.class,
                                applied -> assertThat(applied.bytes()).isPositive()));
        assertThat(hand().writes()).isEqualTo(2);
        for (IpFamily family : BOTH) {
            assertThat(drift(family)).isEmpty();
            FamilyRules wanted = new FamilyRules.Listed(Hand.CHAIN, rules(family));
            assertThat(chain(family).attributed(wanted).lines().stream()
                            .map(line -> line.rule().orElseThrow())
                            .toList())
                    .isEqualTo(rules(family));
            assertThat(chain(family).jumps())
                    .singleElement()
                    .matches(jump -> jump.kind() == Jump.Kind.CANONICAL && jump.position() == 1);
        }
        assertThat(apply())
                .allSatisfy((family, outcome) -> assertThat(outcome).isEqualTo(new ApplyOutcome.Unchanged()));
        assertThat(hand().writes()).isEqualTo(2);
    }

    @Test
    void anEmptyChainStillHasItsJump() {
        Ruleset empty = Ruleset.of(Hand.CHAIN, Map.of(IPV4, new FamilyRules.Listed(Hand.CHAIN, List.of())));
        dataplane().apply(empty, observe());
        assertThat(chain(IPV4).present()).isTrue();
        assertThat(chain(IPV4).jumps(Jump.Kind.CANONICAL)).hasSize(1);
        assertThat(dataplane().apply(empty, observe())).containsValue(new ApplyOutcome.Unchanged());
        assertThat(observe().families().get(IPV6)).isInstanceOf(FamilyState.Absent.class);
    }

    @Test
    void everythingWiped() {
        apply();
        hand().wipe(IPV4);
        healed(Drift.Kind.JUMP_MISSING, Drift.Kind.CHAIN_MISSING);
    }

    @Test
    void aFlushedChain() {
        apply();
        hand().flush(IPV4);
        healed(Drift.Kind.RULE_MISSING, Drift.Kind.RULE_MISSING, Drift.Kind.RULE_MISSING, Drift.Kind.RULE_MISSING);
    }

    @Test
    void aDeletedJump() {
        apply();
        hand().removeJumps(IPV4);
        healed(Drift.Kind.JUMP_MISSING);
    }

    @Test
    void aDuplicateJump() {
        apply();
        hand().addJump(IPV4, Jump.Kind.CANONICAL);
        hand().addJump(IPV4, Jump.Kind.CANONICAL);
        healed(Drift.Kind.JUMP_DUPLICATE, Drift.Kind.JUMP_DUPLICATE);
    }

    @Test
    void aVariantNextToTheCanonicalJump() {
        apply();
        hand().addJump(IPV4, Jump.Kind.VARIANT);
        healed(Drift.Kind.JUMP_VARIANT);
    }

    @Test
    void aVariantInsteadOfTheCanonicalJump() {
        apply();
        hand().removeJumps(IPV4);
        hand().addJump(IPV4, Jump.Kind.VARIANT);
        hand().addJump(IPV4, Jump.Kind.VARIANT);
        healed(Drift.Kind.JUMP_VARIANT, Drift.Kind.JUMP_VARIANT);
    }

    @Test
    void aForeignJumpIsKeptAndReportedAndDoesNotCountAsOurs() {
        apply();
        hand().addJump(IPV4, Jump.Kind.FOREIGN);
        assertThat(drift(IPV4)).isEmpty();
        assertThat(shadows(IPV4)).singleElement().matches(shadow -> shadow.narrowed() && !shadow.before());
        hand().removeJumps(IPV4);
        hand().addJump(IPV4, Jump.Kind.FOREIGN);
        healed(Drift.Kind.JUMP_MISSING);
        assertThat(chain(IPV4).jumps(Jump.Kind.FOREIGN)).hasSize(1);
        assertThat(shadows(IPV4)).singleElement().matches(Shadow::before);
    }

    @Test
    void aMissingRule() {
        apply();
        hand().removeRule(IPV4, 1);
        healed(Drift.Kind.RULE_MISSING);
    }

    @Test
    void anUnexpectedRule() {
        apply();
        hand().addStrangeRule(IPV4);
        healed(Drift.Kind.RULE_UNEXPECTED);
    }

    @Test
    void rulesInAnotherOrder() {
        apply();
        hand().firstToEnd(IPV4);
        healed(Drift.Kind.RULE_ORDER);
    }

    @ParameterizedTest
    @EnumSource
    void anUnreadableFamilyIsNotWrittenAndTheOtherIs(IpFamily broken) {
        IpFamily whole = broken == IPV4 ? IPV6 : IPV4;
        hand().spoil(broken);
        assertThat(observe().families().get(broken)).isInstanceOf(FamilyState.Unreadable.class);
        Map<IpFamily, ApplyOutcome> outcomes = apply();
        assertThat(outcomes.get(broken)).isInstanceOf(ApplyOutcome.Failed.class);
        assertThat(outcomes.get(whole)).isInstanceOf(ApplyOutcome.Applied.class);
        assertThat(dataplane().remove(Hand.CHAIN, Set.of(broken)).get(broken)).isInstanceOf(ApplyOutcome.Failed.class);
        assertThat(hand().writes()).isEqualTo(1);
        hand().mend(broken);
        assertThat(apply().get(broken)).isInstanceOf(ApplyOutcome.Applied.class);
        assertThat(drift(broken)).isEmpty();
    }

    @Test
    void familiesNotAskedForAreNotTouched() {
        dataplane().apply(desired().only(Set.of(IPV6)), observe());
        assertThat(observe().families().get(IPV4)).isInstanceOf(FamilyState.Absent.class);
        assertThat(dataplane().observe(Hand.CHAIN, Set.of(IPV6)).families()).containsOnlyKeys(IPV6);
        apply();
        dataplane().remove(Hand.CHAIN, Set.of(IPV6));
        assertThat(drift(IPV4)).isEmpty();
        assertThat(observe().families().get(IPV6)).isInstanceOf(FamilyState.Absent.class);
    }

    @Test
    void strangersSurviveEverything() {
        hand().addStrangers(IPV4);
        List<String> before = hand().strangers(IPV4);
        assertThat(before).hasSizeGreaterThan(1);
        apply();
        assertThat(shadows(IPV4)).singleElement().matches(shadow -> shadow.before() && shadow.narrowed());
        hand().removeJumps(IPV4);
        hand().flush(IPV4);
        apply();
        assertThat(hand().strangers(IPV4)).isEqualTo(before);
        dataplane().remove(Hand.CHAIN, BOTH);
        assertThat(hand().strangers(IPV4)).isEqualTo(before);
        assertThat(observe().families().get(IPV4)).isInstanceOf(FamilyState.Absent.class);
    }

    @Test
    void removeTakesEverythingOfOursAndIsIdempotent() {
        apply();
        hand().addJump(IPV4, Jump.Kind.VARIANT);
        hand().addJump(IPV4, Jump.Kind.CANONICAL);
        assertThat(dataplane().remove(Hand.CHAIN, BOTH))
                .allSatisfy((family, outcome) -> assertThat(outcome).isInstanceOf(ApplyOutcome.Applied.class));
        assertThat(observe().families().values())
                .allSatisfy(state -> assertThat(state).isEqualTo(new FamilyState.Absent(List.of())));
        int writes = hand().writes();
        assertThat(dataplane().remove(Hand.CHAIN, BOTH))
                .allSatisfy((family, outcome) -> assertThat(outcome).isEqualTo(new ApplyOutcome.Unchanged()));
        assertThat(hand().writes()).isEqualTo(writes);
    }

    @Test
    void removeKeepsAChainThatSomebodyElseLeadsTo() {
        apply();
        hand().refer(IPV4);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(dataplane().remove(Hand.CHAIN, Set.of(IPV4)).get(IPV4))
                    .isInstanceOfSatisfying(ApplyOutcome.Failed.class, failed -> {
                        assertThat(failed.failure().code()).isEqualTo(FailureCode.REJECTED);
                        assertThat(failed.failure().message()).contains("somebody else's rule leads to it");
                    });
            assertThat(chain(IPV4).present()).isTrue();
            assertThat(chain(IPV4).lines()).isEmpty();
            assertThat(chain(IPV4).jumps()).isEmpty();
        }
        assertThat(hand().writes()).as("an emptied chain is not emptied again").isEqualTo(3);
        hand().unrefer(IPV4);
        assertThat(dataplane().remove(Hand.CHAIN, Set.of(IPV4)).get(IPV4)).isInstanceOf(ApplyOutcome.Applied.class);
        assertThat(chain(IPV4).present()).isFalse();
    }

    @Test
    void aStaleLookNeverHarmsStrangers() {
        apply();
        Observed stale = observe();
        hand().addStrangers(IPV4);
        hand().flush(IPV4);
        List<String> strangers = hand().strangers(IPV4);
        assertThat(dataplane().apply(desired(), stale).get(IPV4)).isInstanceOf(ApplyOutcome.Unchanged.class);
        apply();
        assertThat(drift(IPV4)).isEmpty();
        assertThat(hand().strangers(IPV4)).isEqualTo(strangers);
    }
}
