package net.ipmasq.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.ipmasq.netlink.RulesetEvent.Change;
import net.ipmasq.netlink.RulesetEvent.Missed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes as the kernel sends them, and bytes as it never would. */
class EventDecoderTest {
    private static final int NEWTABLE = 0;
    private static final int NEWCHAIN = 3;
    private static final int DELCHAIN = 5;
    private static final int NEWRULE = 6;
    private static final int NEWSETELEM = 12;

    private final EventDecoder decoder = new EventDecoder();

    private static byte[] text(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(4).putInt((int) number).array();
    }

    private static byte[] attribute(int type, byte[] value) {
        return ByteBuffer.allocate((4 + value.length + 3) / 4 * 4)
                .order(ByteOrder.nativeOrder())
                .putShort((short) (4 + value.length))
                .putShort((short) type)
                .put(value)
                .array();
    }

    private static byte[] message(int type, int family, byte[]... attributes) {
        return flagged(0, type, family, attributes);
    }

    private static byte[] flagged(int flags, int type, int family, byte[]... attributes) {
        int length = 20 + Arrays.stream(attributes).mapToInt(one -> one.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
        bytes.putInt(length).putShort((short) (10 << 8 | type)).putShort((short) flags);
        bytes.putInt(7).putInt(0).put((byte) family).put((byte) 0).putShort((short) 0);
        for (byte[] attribute : attributes) {
            bytes.put(attribute);
        }
        return bytes.array();
    }

    private static byte[] rule(int family, String table, String chain) {
        return message(NEWRULE, family, attribute(1, text(table)), attribute(2, text(chain)));
    }

    private static byte[] end(long generation) {
        return message(
                15, 0, attribute(1, number(generation)), attribute(2, number(4711)), attribute(3, text("iptables")));
    }

    private static ByteBuffer datagram(byte[]... messages) {
        ByteBuffer bytes = ByteBuffer.allocate(
                Arrays.stream(messages).mapToInt(one -> one.length).sum());
        for (byte[] message : messages) {
            bytes.put(message);
        }
        return bytes.flip();
    }

    @Test
    void aTransactionOverSeveralDatagramsIsOneChange() {
        assertThat(decoder.decode(datagram(rule(2, "nat", "POSTROUTING")))).isEmpty();
        assertThat(decoder.decode(datagram(
                        rule(2, "nat", "IP-MASQ-AGENT"),
                        message(NEWTABLE, 10, attribute(1, text("nat"))),
                        message(NEWCHAIN, 10, attribute(1, text("nat")), attribute(3, text("NEW"))),
                        message(DELCHAIN, 10, attribute(1, text("nat")), attribute(3, text("OLD"))),
                        message(NEWSETELEM, 2, attribute(1, text("t")), attribute(2, text("s"))),
                        end(0xffff_fff0L))))
                .containsExactly(new Change(
                        0xffff_fff0L,
                        4711,
                        "iptables",
                        Set.of(
                                new RulesetEvent.Place(2, "nat", "POSTROUTING"),
                                new RulesetEvent.Place(2, "nat", "IP-MASQ-AGENT"),
                                new RulesetEvent.Place(10, "nat", ""),
                                new RulesetEvent.Place(10, "nat", "OLD"),
                                new RulesetEvent.Place(2, "t", ""))));
    }

    /** What is renamed is told of by its new name only, so that the place is all of the table. */
    @Test
    void aChainThatIsCreatedIsOnePlaceAndOneThatIsChangedIsTheWholeTable() {
        byte[][] chain = {attribute(1, text("nat")), attribute(3, text("KUBE-SEP-1"))};
        assertThat(decoder.decode(datagram(
                        flagged(0x400, NEWCHAIN, 2, chain),
                        end(1),
                        flagged(0x200, NEWCHAIN, 2, chain),
                        end(2),
                        flagged(0, NEWCHAIN, 2, chain),
                        end(3),
                        flagged(0x100, NEWCHAIN, 2, chain),
                        end(4),
                        flagged(0x400, NEWTABLE, 2, attribute(1, text("nat"))),
                        end(5))))
                .extracting(event -> ((Change) event).places())
                .containsExactly(
                        Set.of(new RulesetEvent.Place(2, "nat", "KUBE-SEP-1")),
                        Set.of(new RulesetEvent.Place(2, "nat", "KUBE-SEP-1")),
                        Set.of(new RulesetEvent.Place(2, "nat", "")),
                        Set.of(new RulesetEvent.Place(2, "nat", "")),
                        Set.of(new RulesetEvent.Place(2, "nat", "")));
    }

    @Test
    void severalTransactionsInOneDatagramAreSeveralChanges() {
        assertThat(decoder.decode(datagram(rule(2, "a", "c"), end(1), rule(2, "b", "c"), end(2))))
                .extracting(event -> ((Change) event).places())
                .containsExactly(
                        Set.of(new RulesetEvent.Place(2, "a", "c")), Set.of(new RulesetEvent.Place(2, "b", "c")));
    }

    @Test
    void afterALossTheRunningTransactionHasNoKnownPlaces() {
        decoder.decode(datagram(rule(2, "a", "c")));
        decoder.lost("overflow");
        assertThat(decoder.decode(datagram(rule(2, "b", "c"), end(3), rule(2, "b", "c"), end(4))))
                .extracting(event -> ((Change) event).places())
                .containsExactly(Set.of(), Set.of(new RulesetEvent.Place(2, "b", "c")));
    }

    @Test
    void aKindWithoutATableMakesThePlacesUnknown() {
        assertThat(decoder.decode(datagram(rule(2, "b", "c"), message(42, 2), end(3))))
                .containsExactly(new Change(3, 4711, "iptables", Set.of()));
    }

    @Test
    void anEndWithoutPidAndNameIsAChangeAndOneWithoutGenerationIsMissed() {
        assertThat(decoder.decode(datagram(message(15, 0, attribute(1, number(9))))))
                .containsExactly(new Change(9, 0, "", Set.of()));
        assertThat(decoder.decode(datagram(message(15, 0)))).hasOnlyElementsOfType(Missed.class);
        assertThat(decoder.decode(datagram(message(15, 0, attribute(1, new byte[3])))))
                .hasOnlyElementsOfType(Missed.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 15, 17, 19, 21, 23, 25, 30, 35})
    void aCutDatagramIsMissed(int length) {
        byte[] whole = rule(2, "nat", "POSTROUTING");
        assertThat(whole.length).isGreaterThan(35);
        List<RulesetEvent> events = decoder.decode(ByteBuffer.wrap(whole, 0, length));
        assertThat(events).hasSize(1).hasOnlyElementsOfType(Missed.class);
    }

    @Test
    void lengthsThatCannotBeAreMissed() {
        for (int length : new int[] {0, 3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            byte[] bytes = rule(2, "nat", "POSTROUTING");
            ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(0, length);
            assertThat(decoder.decode(ByteBuffer.wrap(bytes))).hasOnlyElementsOfType(Missed.class);
        }
    }

    /** A transaction, damaged anywhere: it is never thrown for. */
    @Test
    void noBytesMakeItThrow() {
        Random random = new Random(4);
        byte[] whole = datagram(rule(2, "nat", "POSTROUTING"), rule(10, "nat", "X"), end(5))
                .array();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
            for (int j = 0; j < 3 && bytes.length > 0; j++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            assertThat(decoder.decode(ByteBuffer.wrap(bytes))).isNotNull();
        }
    }

    @Test
    void messagesOfOthersAreNone() {
        byte[] other = rule(2, "nat", "POSTROUTING");
        ByteBuffer.wrap(other).order(ByteOrder.nativeOrder()).putShort(4, (short) (1 << 8 | 15));
        assertThat(decoder.decode(datagram(other))).isEmpty();
        assertThat(decoder.decode(ByteBuffer.allocate(0))).isEmpty();
    }
}
