package net.ipmasq.bundle.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import net.ipmasq.bundle.archive.BundleFinding.Code;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * The {@code .tgz}: regular files below one directory, in order, and {@code SHA256SUMS} over them. Nothing of the machine
 * that wrote it is in it: no time, owner, permission or order of a directory.
 */
final class BundleArchive {
    /** Far above what a bundle needs, and far below what would harm the reader of a hostile one. */
    private static final int MOST_FILES = 2_000;

    private static final long MOST_BYTES = 64L << 20;
    private static final int UNKNOWN_SYSTEM = 255;
    private static final int REGULAR_READABLE = 0100644;
    private static final Pattern SAFE =
            Pattern.compile("(?!/)(?!.*(^|/)\\.{1,2}(/|$))(?!.*//)[^\\\\\\p{Cntrl}]*[^\\\\/\\p{Cntrl}]");

    private BundleArchive() {}

    /** Packs the content with its checksums. */
    static byte[] write(BundleFiles files, String root) {
        SortedMap<String, byte[]> all = files.content();
        all.put(BundleFiles.SUMS, Sha256.sums(files.content()));
        return pack(all, root);
    }

    private static byte[] pack(SortedMap<String, byte[]> files, String root) {
        GzipParameters gzip = new GzipParameters();
        gzip.setCompressionLevel(9);
        gzip.setOperatingSystem(UNKNOWN_SYSTEM);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(
                new GzipCompressorOutputStream(bytes, gzip), StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setAddPaxHeadersForNonAsciiNames(true);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                tar.putArchiveEntry(entry(root + "/" + file.getKey(), file.getValue().length));
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static TarArchiveEntry entry(String path, int size) {
        TarArchiveEntry entry = new TarArchiveEntry(path);
        entry.setSize(size);
        entry.setMode(REGULAR_READABLE);
        entry.setModTime(0L);
        entry.setIds(0, 0);
        // the library would write the name of whoever runs it
        entry.setNames("", "");
        return entry;
    }

    /** Unpacks to memory; an entry that is not allowed is a finding and is left out. */
    static BundleFiles read(byte[] archive, List<BundleFinding> findings) {
        Map<String, byte[]> files = new TreeMap<>();
        long left = MOST_BYTES;
        try (TarArchiveInputStream tar = new TarArchiveInputStream(
                GzipCompressorInputStream.builder()
                        .setByteArray(archive)
                        .setDecompressConcatenated(true)
                        .get(),
                StandardCharsets.UTF_8.name())) {
            String root = "";
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (!acceptable(entry, findings)) {
                    continue;
                }
                root = root.isEmpty() ? entry.getName().split("/")[0] : root;
                byte[] content = tar.readNBytes((int) Math.min(left + 1, Integer.MAX_VALUE));
                left -= content.length;
                if (left < 0 || files.size() >= MOST_FILES) {
                    findings.add(Code.ARCHIVE_BROKEN.of(
                            "",
                            "it unpacks to more than " + MOST_FILES + " files or " + (MOST_BYTES >> 20) + " MiB",
                            "no bundle is that large; do not unpack it"));
                    break;
                }
                put(files, root, entry.getName(), content, findings);
            }
        } catch (IOException | IllegalArgumentException e) {
            findings.add(Code.ARCHIVE_BROKEN.of(
                    "", "it is not a .tgz that can be read to its end: " + e.getMessage(), "build or fetch it again"));
        }
        return new BundleFiles(files);
    }

    private static boolean acceptable(TarArchiveEntry entry, List<BundleFinding> findings) {
        String name = entry.getName();
        boolean normal =
                entry.getLinkFlag() == TarConstants.LF_NORMAL || entry.getLinkFlag() == TarConstants.LF_OLDNORM;
        if (!normal || entry.isSparse()) {
            findings.add(Code.ENTRY_NOT_REGULAR.of(
                    name, "it is a link, a directory or a device", "a bundle has regular files only; build it again"));
            return false;
        }
        if (!SAFE.matcher(name).matches() || name.indexOf('/') < 0) {
            findings.add(Code.PATH_UNSAFE.of(
                    name,
                    "its path could leave the directory that it is unpacked to, or is not below the bundle's own",
                    "do not unpack it; build it again"));
            return false;
        }
        return true;
    }

    private static void put(
            Map<String, byte[]> files, String root, String name, byte[] content, List<BundleFinding> findings) {
        String path = name.substring(name.indexOf('/') + 1);
        if (!name.startsWith(root + "/")) {
            findings.add(Code.PATH_UNSAFE.of(
                    name, "it is not below " + root + ", where the first file is", "build it again"));
        } else if (files.putIfAbsent(path, content) != null) {
            findings.add(Code.FILE_TWICE.of(
                    path, "the archive has it twice, and programs differ in which one they take", "build it again"));
        }
    }
}
