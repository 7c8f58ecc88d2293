/** A signature by Ed25519 (RFC 8032). */
export interface AuditSignature {
  /** The first 16 hexadecimal digits of the SHA-256 of the public key (SubjectPublicKeyInfo in DER). */
  readonly keyId: string;
  /** Base64. */
  readonly signature: string;
}

/** Signs what the audit trail gives out, with a key that lies in no database. */
export abstract class AuditSigner {
  abstract sign(text: string): Promise<AuditSignature>;
  /** True for a signature by the present key or one before. */
  abstract isSigned(text: string, signature: AuditSignature): Promise<boolean>;
  /** SubjectPublicKeyInfo in PEM, of the present key. */
  abstract publicKey(): Promise<string>;
}
