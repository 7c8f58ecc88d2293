import { createHash } from 'node:crypto';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { AcceptCode, ApplicationCode } from '../../ack/acknowledgment-code.js';
import type { MessageHeader } from '../../er7/er7-message.js';
import type { Hl7Problem } from '../../problems/hl7-problem.js';
import type { ErasedFile } from '../../er7/erased-file.js';

/**
 * received → processed | ignored | failed | sealed. `ignored`: taken, and without effect. `sealed`: none of the keys that are set opens it. A failed or
 * sealed one goes back to received by a person, a failed one by a resend, too; a sealed one is discarded by a person, or where a resend takes its place.
 */
export const INBOUND_STATES = ['received', 'processed', 'ignored', 'failed', 'sealed', 'discarded'] as const;
export type InboundState = (typeof INBOUND_STATES)[number];

/** When the sender hears of the outcome: with the answer to its message, by a message of our own, or not at all. */
export type ApplicationAck = 'now' | 'later' | 'never';

/** A message as an operator sees it: nothing of its content but what routes it. */
export interface InboundRecord extends Tenant {
  readonly id: string;
  readonly sourceId: string;
  readonly transport: 'mllp' | 'http';
  readonly receivedAt: Date;
  /** The listener, or the API key. */
  readonly keyId: string;
  readonly address: string;
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly controlId: string;
  /** `ORU^R01`. */
  readonly messageType: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly state: InboundState;
  /** Times that somebody began to work on it since it came or was last replayed, and was not simply put off. */
  readonly attempts: number;
  readonly replays: number;
  readonly processedAt: Date | null;
  /** MSA-1 of the accept acknowledgment; null: none was due. */
  readonly acceptCode: AcceptCode | null;
  readonly applicationAck: ApplicationAck;
  /** MSA-1 of the outcome; null: not judged yet. */
  readonly ackCode: ApplicationCode | null;
  readonly problems: readonly Hl7Problem[];
  readonly analysisIds: readonly string[];
  /** Photos that it named by their address: each is an image, fetched after the acknowledgment. */
  readonly pointedImageIds: readonly string[];
  /** Files that were taken out of it since; the rest of its text is as it came. */
  readonly erased: readonly ErasedFile[];
}

/** A message about to be kept. */
export interface NewInbound extends Omit<
  InboundRecord,
  'receivedAt' | 'attempts' | 'replays' | 'processedAt' | 'analysisIds' | 'pointedImageIds' | 'erased'
> {
  /** By which it is told from others of its source; null: MSH-10 is empty, or is taken already. */
  readonly messageKey: Buffer | null;
  /** Of its content without MSH-7. */
  readonly sha256: Buffer;
  /** SHA-256 of each file in it: by these a photo is found once it is to be erased. */
  readonly fileDigests: readonly Buffer[];
  /** What it is found by; absent: none of its numbers could be read. */
  readonly terms?: readonly Buffer[];
  /** As it lies in the table. */
  readonly raw: Buffer;
  readonly ack: Buffer | null;
  /** Held by this process until it has answered; null: free for whoever comes first. */
  readonly leaseToken: string | null;
}

/** A message that this process alone works on. */
export interface HeldMessage {
  readonly record: InboundRecord;
  readonly bytes: Buffer;
  readonly leaseToken: string;
}

/** A message that none of the keys that are set opens; it was put aside as `sealed`. */
export interface SealedMessage {
  readonly sealed: InboundRecord;
}

/** By what messages of one source are told apart: MSH-3, MSH-4 and MSH-10. null where MSH-10 is empty. */
export function messageKeyOf({ sendingApplication, sendingFacility, controlId }: MessageHeader): Buffer | null {
  return controlId === ''
    ? null
    : createHash('sha256')
        .update(JSON.stringify([sendingApplication, sendingFacility, controlId]))
        .digest();
}
