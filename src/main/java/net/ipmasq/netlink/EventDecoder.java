package net.ipmasq.netlink;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.ipmasq.netlink.Messages.Message;
import net.ipmasq.netlink.RulesetEvent.Change;
import net.ipmasq.netlink.RulesetEvent.Missed;

/**
 * Turns the messages of the group NFNLGRP_NFTABLES into one event per transaction: the kernel names everything that was
 * touched, in one datagram or many, and then the new generation. Throws for no input.
 */
final class EventDecoder {
    private static final int SUBSYSTEM = 10;
    private static final int NEWCHAIN = 3;
    private static final int DELCHAIN = 5;
    private static final int NEWRULE = 6;
    private static final int DELRULE = 8;
    private static final int NEWGEN = 15;

    /** NFTA_TABLE_NAME, NFTA_CHAIN_TABLE, NFTA_RULE_TABLE, NFTA_SET_TABLE and so on are all 1. */
    private static final int TABLE = 1;

    /**
     * What was asked for: iptables asks for its chains with the one, nft with the other, and both rename with neither.
     * Older kernels do not send it.
     */
    private static final int CREATION = Messages.NLM_F_CREATE | Messages.NLM_F_EXCL;

    private static final int RULE_CHAIN = 2;
    private static final int CHAIN_NAME = 3;
    private static final int GEN_ID = 1;
    private static final int GEN_PID = 2;
    private static final int GEN_PROCESS = 3;

    private final Set<RulesetEvent.Place> touched = new HashSet<>();
    private boolean whole = true;

    /** The events that end in this datagram. */
    List<RulesetEvent> decode(ByteBuffer datagram) {
        List<RulesetEvent> events = new ArrayList<>();
        try {
            for (Message message : Messages.in(datagram)) {
                decode(message, events);
            }
        } catch (Messages.OddBytes e) {
            events.add(lost("not understood: " + e.getMessage()));
        }
        return events;
    }

    /** To be called when messages are lost: what the running transaction touched is not known then. */
    Missed lost(String why) {
        touched.clear();
        whole = false;
        return new Missed(why);
    }

    private void decode(Message message, List<RulesetEvent> events) {
        if (message.type() >> 8 != SUBSYSTEM) {
            // of netlink itself, or of a group that was not asked for
            return;
        }
        int kind = message.type() & 0xff;
        if (kind == NEWGEN) {
            events.add(change(message));
            return;
        }
        String table = message.text(TABLE);
        if (table.isEmpty()) {
            // an unknown kind of message: what was touched is not known then
            whole = false;
        }
        touched.add(new RulesetEvent.Place(message.family(), table, chain(kind, message)));
    }

    private static String chain(int kind, Message message) {
        return switch (kind) {
            case NEWRULE, DELRULE -> message.text(RULE_CHAIN);
            case DELCHAIN -> message.text(CHAIN_NAME);
            // a chain that is renamed is reported so too, without its old name
            case NEWCHAIN -> (message.flags() & CREATION) == 0 ? "" : message.text(CHAIN_NAME);
            default -> "";
        };
    }

    private RulesetEvent change(Message message) {
        long generation = message.number(GEN_ID);
        Set<RulesetEvent.Place> places = whole ? Set.copyOf(touched) : Set.of();
        touched.clear();
        whole = true;
        return generation < 0
                ? new Missed("a generation without a number")
                : new Change(generation, (int) Math.max(0, message.number(GEN_PID)), message.text(GEN_PROCESS), places);
    }
}
