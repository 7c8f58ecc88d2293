/** New ids: UUIDv7 in lower case (RFC 9562 5.7). */
export abstract class IdSource {
  abstract next(): string;
}
