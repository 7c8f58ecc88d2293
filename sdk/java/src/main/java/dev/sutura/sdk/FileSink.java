package dev.sutura.sdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that appears whole or not at all: it is written beside its place, and moved there. */
final class FileSink implements AutoCloseable {
    private final Path target;
    private final Path partial;
    private volatile FileChannel channel;
    private volatile IOException fault;

    FileSink(Path target) throws IOException {
        this.target = target;
        Path folder = target.toAbsolutePath().getParent();
        this.partial = Files.createTempFile(folder, ".sutura-", ".part");
    }

    /** A body begins; what an attempt before it left is nothing any more, and what still comes of it goes nowhere. */
    FileChannel begin() throws IOException {
        if (channel != null) {
            channel.close();
        }
        channel = FileChannel.open(partial, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        return channel;
    }

    void write(FileChannel begun, ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                begun.write(bytes);
            }
        } catch (IOException own) {
            if (begun == channel) {
                fault = own;
            }
            throw own;
        }
    }

    /** The caller's own fault, such as a full disk; null where there was none. */
    IOException fault() {
        return fault;
    }

    void keep() throws IOException {
        channel.close();
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
        Files.deleteIfExists(partial);
    }
}
