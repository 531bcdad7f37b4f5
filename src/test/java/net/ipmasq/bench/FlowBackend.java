package net.ipmasq.bench;

import net.ipmasq.lab.NetNs;
import net.ipmasq.rules.FamilyRules;

/** What the flow bench needs of a backend: texts, and the tool that takes them, in one namespace. */
interface FlowBackend {
    String name();

    /** Leaves nothing in the namespace, so that the next load starts from an empty one. */
    void empty();

    /** The whole of one family as if nothing were there. */
    String load(FamilyRules rules);

    /** What turns the rules that are loaded into {@code desired}. */
    String update(FamilyRules loaded, FamilyRules desired);

    /** Gives a text to the kernel. */
    void write(String text);

    static FlowBackend of(String name, NetNs node) {
        return name.equals("nftables") ? new NftablesFlows(node) : new IptablesFlows(name, node);
    }
}
