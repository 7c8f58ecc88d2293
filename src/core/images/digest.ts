/** SHA-256 in lower-case hex. */
export abstract class Digest {
  abstract sha256(bytes: Uint8Array): string;
}
