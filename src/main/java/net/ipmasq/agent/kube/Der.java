package net.ipmasq.agent.kube;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** As much of DER as it takes to put a key into another form. */
final class Der {
    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 4;
    static final int CONTEXT_0 = 0xA0;

    private Der() {}

    /** One element without what is around it. */
    record Element(int tag, ByteBuffer content) {}

    /** An element with these parts, which are elements themselves or plain bytes. */
    static byte[] of(int tag, byte[]... parts) {
        byte[] content = join(parts);
        byte[] length = content.length < 0x80
                ? new byte[] {(byte) content.length}
                : content.length < 0x100
                        ? new byte[] {(byte) 0x81, (byte) content.length}
                        : new byte[] {(byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
        return join(new byte[] {(byte) tag}, length, content);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /**
     * The elements that stand one after the other.
     *
     * @throws BufferUnderflowException or IndexOutOfBoundsException if that is no DER
     */
    static List<Element> elements(ByteBuffer der) {
        ByteBuffer rest = der.slice();
        List<Element> elements = new ArrayList<>();
        while (rest.hasRemaining()) {
            int tag = rest.get() & 0xFF;
            int length = rest.get() & 0xFF;
            if (length > 0x80) {
                int bytes = length - 0x80;
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = length << 8 | rest.get() & 0xFF;
                }
            }
            elements.add(new Element(tag, rest.slice(rest.position(), length)));
            rest.position(rest.position() + length);
        }
        return elements;
    }
}
