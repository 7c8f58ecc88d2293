/** Digests of bytes, in lower-case hex. */
export abstract class Digest {
  abstract sha256(bytes: Uint8Array): string;
  /** For formats that name no other; it protects nothing. */
  abstract sha1(bytes: Uint8Array): string;
}
