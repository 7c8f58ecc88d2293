/** Bytes that have arrived completely but are not yet an image of the service. */
export interface StagedUpload {
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  /** The first bytes, at least FORMAT_SIGNATURE_BYTES where there are that many. */
  readonly head: Uint8Array;
  read(): Promise<Uint8Array>;
  /** Moves the bytes to their place in the object store, durably. */
  keepAs(objectKey: string): Promise<void>;
}
