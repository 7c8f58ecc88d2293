package dev.sutura.sdk;

/**
 * One field of a request that was refused.
 *
 * @param pointer JSON Pointer (RFC 6901) into the body, or below {@code /query} or {@code /header}
 * @param detail what is wrong with it
 */
public record FieldProblem(String pointer, String detail) {
}
