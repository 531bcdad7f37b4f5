package net.ipmasq.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Netlink's framing: messages in a datagram, attributes in a message. Does no I/O. */
final class Messages {
    static final int NLMSG_ERROR = 2;
    static final int NLMSG_DONE = 3;
    static final int NLM_F_REQUEST = 1;
    static final int NLM_F_DUMP = 0x300;

    /** In answers to a dump: something changed while it was made. */
    static final int NLM_F_DUMP_INTR = 0x10;

    static final int NLM_F_EXCL = 0x200;
    static final int NLM_F_CREATE = 0x400;

    private static final int HEADER = 16;
    private static final int NFGENMSG = 4;

    /** Types below are those of netlink itself and hold no attributes. */
    private static final int FIRST_TYPE = 16;

    private static final int ATTRIBUTE_HEADER = 4;
    private static final int TYPE_BITS = 0x3fff;

    private Messages() {}

    /** Bytes that the kernel would not send. */
    static final class OddBytes extends Exception {
        private static final long serialVersionUID = 1;

        OddBytes(String what) {
            super(what);
        }
    }

    /**
     * One message.
     *
     * @param flags of its header
     * @param family the first byte of its head
     * @param head what stands before the attributes, in the order of this machine: nfgenmsg, rtmsg and so on; empty for
     *     messages of netlink itself
     * @param attributes of the first level, by number; empty for messages of netlink itself
     * @param error for {@link #NLMSG_ERROR}: the errno, 0 for an acknowledgement; else 0
     */
    record Message(
            int type,
            int flags,
            int sequence,
            int family,
            ByteBuffer head,
            Map<Integer, byte[]> attributes,
            int error) {

        /** Text of an attribute up to its end mark; empty if it is not there. */
        String text(int attribute) {
            return Messages.text(attributes.getOrDefault(attribute, new byte[0]));
        }

        /** An unsigned number of 32 bits in network order; -1 if it is not there. */
        long number(int attribute) {
            byte[] bytes = attributes.get(attribute);
            return bytes == null || bytes.length != 4
                    ? -1
                    : Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt());
        }
    }

    static String text(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** A request to netfilter without attributes. */
    static byte[] request(int type, int sequence) {
        return request(type, 0, sequence, new byte[NFGENMSG]);
    }

    /**
     * A request.
     *
     * @param flags other than {@link #NLM_F_REQUEST}
     * @param body head and attributes
     */
    static byte[] request(int type, int flags, int sequence, byte[] body) {
        return ByteBuffer.allocate(HEADER + body.length)
                .order(ByteOrder.nativeOrder())
                .putInt(HEADER + body.length)
                .putShort((short) type)
                .putShort((short) (NLM_F_REQUEST | flags))
                .putInt(sequence)
                .putInt(0)
                .put(body)
                .array();
    }

    /**
     * The messages of a datagram of netfilter's, read from its position to its limit.
     *
     * @throws OddBytes if it is not made of whole messages
     */
    static List<Message> in(ByteBuffer datagram) throws OddBytes {
        return in(datagram, NFGENMSG);
    }

    /** The same for messages with a head of {@code head} bytes, a multiple of four. */
    static List<Message> in(ByteBuffer datagram, int head) throws OddBytes {
        ByteBuffer bytes = datagram.slice().order(ByteOrder.nativeOrder());
        List<Message> messages = new ArrayList<>();
        while (bytes.hasRemaining()) {
            ByteBuffer one = take(bytes, HEADER, bytes.remaining() < 4 ? 0 : bytes.getInt(bytes.position()));
            int type = Short.toUnsignedInt(one.getShort(4));
            int flags = Short.toUnsignedInt(one.getShort(6));
            int sequence = one.getInt(8);
            one.position(HEADER);
            messages.add(
                    type < FIRST_TYPE
                            ? ofNetlink(type, flags, sequence, type == NLMSG_ERROR ? error(one) : 0)
                            : message(type, flags, sequence, one, head));
        }
        return messages;
    }

    private static Message ofNetlink(int type, int flags, int sequence, int error) {
        return new Message(type, flags, sequence, 0, ByteBuffer.allocate(0), Map.of(), error);
    }

    private static int error(ByteBuffer body) throws OddBytes {
        if (body.remaining() < 4) {
            throw new OddBytes("an error without a number");
        }
        return -body.getInt();
    }

    private static Message message(int type, int flags, int sequence, ByteBuffer body, int length) throws OddBytes {
        if (body.remaining() < length) {
            throw new OddBytes("a message without a family");
        }
        ByteBuffer head = ByteBuffer.allocate(length).order(body.order());
        head.put(body.slice(body.position(), length)).flip();
        body.position(body.position() + length);
        return new Message(type, flags, sequence, Byte.toUnsignedInt(head.get(0)), head, attributes(body), 0);
    }

    /**
     * The attributes from here to the limit, by number.
     *
     * @throws OddBytes if there is something else
     */
    static Map<Integer, byte[]> attributes(ByteBuffer body) throws OddBytes {
        Map<Integer, byte[]> attributes = new HashMap<>();
        while (body.hasRemaining()) {
            int length = body.remaining() < 2 ? 0 : Short.toUnsignedInt(body.getShort(body.position()));
            ByteBuffer one = take(body, ATTRIBUTE_HEADER, length);
            int number = one.getShort(2) & TYPE_BITS;
            byte[] value = new byte[length - ATTRIBUTE_HEADER];
            one.get(ATTRIBUTE_HEADER, value);
            attributes.put(number, value);
        }
        return attributes;
    }

    /** The next {@code length} bytes; what follows begins at a multiple of four. */
    static ByteBuffer take(ByteBuffer from, int least, int length) throws OddBytes {
        if (length < least || length > from.remaining()) {
            throw new OddBytes("a length of " + length + " with " + from.remaining() + " bytes left");
        }
        ByteBuffer one = from.slice(from.position(), length).order(from.order());
        from.position(Math.min(from.limit(), from.position() + (length + 3) / 4 * 4));
        return one;
    }
}
