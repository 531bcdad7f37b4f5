package net.ipmasq.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;

/** The smallest static program, instead of a native agent that cannot be built everywhere: it exits with a code. */
final class StandIn {
    static final int EXIT_CODE = 7;

    private static final long ADDRESS = 0x400000;
    private static final int HEADERS = 64 + 56;
    private static final short X86_64 = 62;
    private static final short AARCH64 = 183;

    private StandIn() {}

    static Path write(Path file) throws IOException {
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        byte[] code = HexFormat.of()
                .parseHex(
                        arm
                                ? "e00080d2" + "c80b80d2" + "010000d4" // mov x0, 7; mov x8, 94 (exit_group); svc 0
                                : "bf07000000" + "b8e7000000" + "0f05"); // mov edi, 7; mov eax, 231; syscall
        ByteBuffer elf = ByteBuffer.allocate(HEADERS + code.length).order(ByteOrder.LITTLE_ENDIAN);
        elf.put(HexFormat.of().parseHex("7f454c46020101")).position(16);
        elf.putShort((short) 2).putShort(arm ? AARCH64 : X86_64).putInt(1);
        elf.putLong(ADDRESS + HEADERS).putLong(64).putLong(0).putInt(0);
        elf.putShort((short) 64).putShort((short) 56).putShort((short) 1);
        elf.position(64);
        // one segment to load, readable and executable: the whole file
        elf.putInt(1).putInt(5).putLong(0).putLong(ADDRESS).putLong(ADDRESS);
        elf.putLong(elf.capacity()).putLong(elf.capacity()).putLong(0x1000);
        elf.put(code);
        Files.write(file, elf.array());
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
