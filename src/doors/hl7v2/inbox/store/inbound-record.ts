import { createHash } from 'node:crypto';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type { AcceptCode, ApplicationCode } from '../../ack/acknowledgment-code.js';
import type { MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ErasedFile } from '../../../../standards/hl7v2/er7/erased-file.js';

/**
 * received → processed | ignored | failed | sealed. `ignored`: accepted without effect. `sealed`: no configured key
 * decrypts it. An operator returns a failed or sealed message to received, and so does a resend of a failed one. A
 * sealed one is discarded by an operator, or when a resend takes its place.
 */
export const INBOUND_STATES = ['received', 'processed', 'ignored', 'failed', 'sealed', 'discarded', 'held'] as const;
export type InboundState = (typeof INBOUND_STATES)[number];

/** The time of the application acknowledgment: in the reply, later as a message of our own, or never. */
export type ApplicationAck = 'now' | 'later' | 'never';

/** A message as operators see it, without its content except routing fields. */
export interface InboundRecord extends Tenant {
  readonly id: string;
  readonly sourceId: string;
  readonly transport: 'mllp' | 'http';
  readonly receivedAt: Date;
  /** The listener, or the API key. */
  readonly keyId: string;
  /** As it was when the message came. */
  readonly mayReview: boolean;
  readonly address: string;
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly controlId: string;
  /** `ORU^R01`. */
  readonly messageType: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly state: InboundState;
  /** Attempts since it was received or last replayed, without those that were put off. */
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
  /** Photos that it named by URL: each is an image, fetched after the acknowledgment. */
  readonly pointedImageIds: readonly string[];
  /** Files that were removed from it since; the rest of its text stays. */
  readonly erased: readonly ErasedFile[];
  /** What it waits for, or waited for, in the list of what is held; null: it never did. */
  readonly heldItemId: string | null;
}

/** A new message, to be stored. */
export interface NewInbound extends Omit<
  InboundRecord,
  'receivedAt' | 'attempts' | 'replays' | 'processedAt' | 'analysisIds' | 'pointedImageIds' | 'erased' | 'heldItemId'
> {
  /** Identifies the message among those of its source; null: MSH-10 is empty, or already taken. */
  readonly messageKey: Buffer | null;
  /** Digest of its content without MSH-7. */
  readonly sha256: Buffer;
  /** SHA-256 of each file in it, by which a photo is found when it is to be erased. */
  readonly fileDigests: readonly Buffer[];
  /** Its search terms; absent: none of its numbers could be read. */
  readonly terms?: readonly Buffer[];
  /** As stored in the table. */
  readonly raw: Buffer;
  readonly ack: Buffer | null;
  /** Held by this process until it has answered; null: free for any process. */
  readonly leaseToken: string | null;
}

/** A message that only this process works on. */
export interface HeldMessage {
  readonly record: InboundRecord;
  readonly bytes: Buffer;
  readonly leaseToken: string;
}

/** A message that no configured key decrypts, parked as `sealed`. */
export interface SealedMessage {
  readonly sealed: InboundRecord;
}

/** The digest of MSH-3, MSH-4 and MSH-10, which identifies a message of a source; null where MSH-10 is empty. */
export function messageKeyOf({ sendingApplication, sendingFacility, controlId }: MessageHeader): Buffer | null {
  return controlId === ''
    ? null
    : createHash('sha256')
        .update(JSON.stringify([sendingApplication, sendingFacility, controlId]))
        .digest();
}
