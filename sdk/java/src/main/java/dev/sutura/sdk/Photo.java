package dev.sutura.sdk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** A photo to send: a JPEG, PNG or WebP by its first bytes. Of a file it is never held in memory. */
public final class Photo implements AutoCloseable {
    private static final int HEAD_BYTES = 12;
    private static final int READ_BYTES = 64 * 1024;
    private final byte[] bytes;
    private final Path path;
    private final boolean isTemporary;
    private final long sizeBytes;

    private Photo(byte[] bytes, Path path, boolean isTemporary) throws IOException {
        this.bytes = bytes;
        this.path = path;
        this.isTemporary = isTemporary;
        this.sizeBytes = bytes == null ? Files.size(path) : bytes.length;
    }

    /** A file. */
    public static Photo of(Path path) throws IOException {
        return new Photo(null, path, false);
    }

    /** Bytes in memory, which must not change while they are sent. */
    public static Photo of(byte[] bytes) {
        try {
            return new Photo(bytes, null, false);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** A stream, read to its end into a temporary file that {@link #close} deletes. */
    public static Photo of(InputStream stream) throws IOException {
        Path file = Files.createTempFile("sutura-", ".photo");
        try {
            Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING);
            return new Photo(null, file, true);
        } catch (IOException | RuntimeException fault) {
            Files.deleteIfExists(file);
            throw fault;
        }
    }

    /** How many bytes will be sent. */
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void close() throws IOException {
        if (isTemporary) {
            Files.deleteIfExists(path);
        }
    }

    @Override
    public String toString() {
        return "Photo[" + sizeBytes + " bytes]";
    }

    BodyPublisher publisher() {
        if (bytes != null) {
            return BodyPublishers.ofByteArray(bytes);
        }
        try {
            return BodyPublishers.ofFile(path);
        } catch (FileNotFoundException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** By the first bytes; anything else is not sent. */
    String contentType() throws IOException {
        byte[] head = head();
        if (begins(head, 0, 0xff, 0xd8, 0xff)) {
            return "image/jpeg";
        }
        if (begins(head, 0, 0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a)) {
            return "image/png";
        }
        if (begins(head, 0, 'R', 'I', 'F', 'F') && begins(head, 8, 'W', 'E', 'B', 'P')) {
            return "image/webp";
        }
        throw new UnsupportedImageException(
            "The file is no JPEG, PNG or WebP by its first bytes. Nothing was sent.", Facts.NONE);
    }

    private byte[] head() throws IOException {
        if (bytes != null) {
            return Arrays.copyOf(bytes, Math.min(HEAD_BYTES, bytes.length));
        }
        try (InputStream stream = Files.newInputStream(path)) {
            return stream.readNBytes(HEAD_BYTES);
        }
    }

    private static boolean begins(byte[] head, int at, int... wanted) {
        for (int index = 0; index < wanted.length; index += 1) {
            if (head.length <= at + index || (head[at + index] & 0xff) != wanted[index]) {
                return false;
            }
        }
        return true;
    }

    String sha256() throws IOException {
        MessageDigest digest = newDigest();
        if (bytes != null) {
            return HexFormat.of().formatHex(digest.digest(bytes));
        }
        byte[] piece = new byte[READ_BYTES];
        try (InputStream stream = Files.newInputStream(path)) {
            for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
                digest.update(piece, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException fault) {
            throw new IllegalStateException("Every Java has SHA-256.", fault);
        }
    }
}
