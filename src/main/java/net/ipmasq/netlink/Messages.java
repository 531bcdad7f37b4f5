package net.ipmasq.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Netlink's framing: messages in a datagram, attributes in a message. Pure. */
final class Messages {
    static final int NLMSG_ERROR = 2;
    static final int NLM_F_REQUEST = 1;
    static final int NLM_F_EXCL = 0x200;
    static final int NLM_F_CREATE = 0x400;

    private static final int HEADER = 16;
    private static final int NFGENMSG = 4;
    private static final int ATTRIBUTE_HEADER = 4;
    private static final int TYPE_BITS = 0x3fff;

    private Messages() {}

    /** Bytes that are not what the kernel would send. */
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
     * @param family of its nfgenmsg
     * @param attributes of the first level, by number; empty for messages of netlink itself
     * @param error for {@link #NLMSG_ERROR}: the errno, 0 for an acknowledgement; else 0
     */
    record Message(int type, int flags, int sequence, int family, Map<Integer, byte[]> attributes, int error) {

        /** Text of an attribute up to its end mark; empty if it is not there. */
        String text(int attribute) {
            byte[] bytes = attributes.getOrDefault(attribute, new byte[0]);
            int length = 0;
            while (length < bytes.length && bytes[length] != 0) {
                length++;
            }
            return new String(bytes, 0, length, StandardCharsets.UTF_8);
        }

        /** An unsigned number of 32 bits in network order; -1 if it is not there. */
        long number(int attribute) {
            byte[] bytes = attributes.get(attribute);
            return bytes == null || bytes.length != 4
                    ? -1
                    : Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt());
        }
    }

    /** A request without attributes. */
    static byte[] request(int type, int sequence) {
        return ByteBuffer.allocate(HEADER + NFGENMSG)
                .order(ByteOrder.nativeOrder())
                .putInt(HEADER + NFGENMSG)
                .putShort((short) type)
                .putShort((short) NLM_F_REQUEST)
                .putInt(sequence)
                .putInt(0)
                .array();
    }

    /**
     * The messages of a datagram, read from its position to its limit.
     *
     * @throws OddBytes if it is not made of whole messages
     */
    static List<Message> in(ByteBuffer datagram) throws OddBytes {
        ByteBuffer bytes = datagram.slice().order(ByteOrder.nativeOrder());
        List<Message> messages = new ArrayList<>();
        while (bytes.hasRemaining()) {
            ByteBuffer one = take(bytes, HEADER, bytes.remaining() < 4 ? 0 : bytes.getInt(bytes.position()));
            int type = Short.toUnsignedInt(one.getShort(4));
            int flags = Short.toUnsignedInt(one.getShort(6));
            int sequence = one.getInt(8);
            one.position(HEADER);
            messages.add(
                    type == NLMSG_ERROR
                            ? new Message(type, flags, sequence, 0, Map.of(), error(one))
                            : message(type, flags, sequence, one));
        }
        return messages;
    }

    private static int error(ByteBuffer body) throws OddBytes {
        if (body.remaining() < 4) {
            throw new OddBytes("an error without a number");
        }
        return -body.getInt();
    }

    private static Message message(int type, int flags, int sequence, ByteBuffer body) throws OddBytes {
        if (body.remaining() < NFGENMSG) {
            throw new OddBytes("a message without a family");
        }
        int family = Byte.toUnsignedInt(body.get());
        body.position(HEADER + NFGENMSG);
        Map<Integer, byte[]> attributes = new HashMap<>();
        while (body.hasRemaining()) {
            int length = body.remaining() < 2 ? 0 : Short.toUnsignedInt(body.getShort(body.position()));
            ByteBuffer one = take(body, ATTRIBUTE_HEADER, length);
            int number = one.getShort(2) & TYPE_BITS;
            byte[] value = new byte[length - ATTRIBUTE_HEADER];
            one.get(ATTRIBUTE_HEADER, value);
            attributes.put(number, value);
        }
        return new Message(type, flags, sequence, family, attributes, 0);
    }

    /** The next {@code length} bytes; what follows begins at a multiple of four. */
    private static ByteBuffer take(ByteBuffer from, int least, int length) throws OddBytes {
        if (length < least || length > from.remaining()) {
            throw new OddBytes("a length of " + length + " with " + from.remaining() + " bytes left");
        }
        ByteBuffer one = from.slice(from.position(), length).order(from.order());
        from.position(Math.min(from.limit(), from.position() + (length + 3) / 4 * 4));
        return one;
    }
}
