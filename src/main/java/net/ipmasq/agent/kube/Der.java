package net.ipmasq.agent.kube;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** As much of DER as it takes to put a key into another form. */
final class Der {
    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 4;
    static final int CONTEXT_0 = 0xA0;

    private Der() {}

    /** One element without what is around it. */
    record Element(int tag, byte[] content) {}

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
     * @throws IndexOutOfBoundsException or another unchecked exception if that is no DER
     */
    static List<Element> elements(byte[] der) {
        List<Element> elements = new ArrayList<>();
        for (int at = 0; at < der.length; ) {
            int tag = der[at] & 0xFF;
            int length = der[at + 1] & 0xFF;
            int begin = at + 2;
            if (length > 0x80) {
                int bytes = length - 0x80;
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = length << 8 | der[begin + i] & 0xFF;
                }
                begin += bytes;
            }
            if (length < 0 || length > der.length - begin) {
                throw new IllegalArgumentException("an element is longer than what holds it");
            }
            elements.add(new Element(tag, Arrays.copyOfRange(der, begin, begin + length)));
            at = begin + length;
        }
        return elements;
    }
}
