package net.ipmasq.dataplane;

import java.util.List;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Jump;

/** Somebody else at work in the nat table: what {@link DataplaneContract} needs to do behind a dataplane's back. */
public interface Hand {
    /** The chain of the contract's rules. */
    String CHAIN = "IP-MASQ-AGENT";

    /** Adds one more jump of that kind at the end. */
    void addJump(IpFamily family, Jump.Kind kind);

    /** Removes every jump to our chain. */
    void removeJumps(IpFamily family);

    /** Empties our chain. */
    void flush(IpFamily family);

    /** Empties and removes everything there is. */
    void wipe(IpFamily family);

    /** Removes the rule at this 0-based place of our chain. */
    void removeRule(IpFamily family, int index);

    /** Adds a rule that we never write at the end of our chain. */
    void addStrangeRule(IpFamily family);

    /** Puts the first rule of our chain last. */
    void firstToEnd(IpFamily family);

    /** Adds a chain, a masquerading rule for one source and a rule in that chain, all of somebody else. */
    void addStrangers(IpFamily family);

    /** What somebody else has there, in order. */
    List<String> strangers(IpFamily family);

    /** Adds a chain of somebody else with a rule that leads to ours. */
    void refer(IpFamily family);

    /** Removes that rule. */
    void unrefer(IpFamily family);

    /** Makes the family unreadable. */
    void spoil(IpFamily family);

    /** Makes it readable again. */
    void mend(IpFamily family);

    /** How many transactions were written through the dataplane. */
    int writes();
}
