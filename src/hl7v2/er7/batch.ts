export interface Hl7Batch {
  /** Each message with its segments, as they came in. */
  readonly messages: readonly Uint8Array[];
  /** BTS-1, or the sum of several; null: not stated. */
  readonly statedCount: number | null;
}

/** Messages of a batch file (FHS, BHS … BTS, FTS); null: it is no batch. */
export function splitBatch(_bytes: Uint8Array): Hl7Batch | null {
  throw new Error('being written');
}
