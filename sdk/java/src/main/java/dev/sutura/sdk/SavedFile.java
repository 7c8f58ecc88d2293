package dev.sutura.sdk;

import java.nio.file.Path;

/**
 * A file that was saved, whole.
 *
 * @param path where it is
 * @param contentType as the service said
 * @param sizeBytes its size
 */
public record SavedFile(Path path, String contentType, long sizeBytes) {
}
