import type { AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../problems/hl7-problem.js';
import type { ReplyConnection } from '../processing/deferred-connections.js';

/** Where a message came from. */
export interface MessageOrigin {
  readonly source: Hl7Source;
  readonly transport: 'mllp' | 'http';
  /** The listener, or the API key. */
  readonly keyId: string;
  readonly address: string;
  /** Where acknowledgments may follow on the same connection; null: nowhere. */
  readonly connection: ReplyConnection | null;
}

/** What goes back at once. */
export interface Reply {
  /** null: nothing is sent. */
  readonly ack: Buffer | null;
  /** MSA-1 of what was decided, whether or not it is sent; null: the message cannot be answered. */
  readonly code: AcknowledgmentCode | null;
}

/** A reply, and what was wrong. */
export interface Judged {
  readonly reply: Reply;
  readonly problems: readonly Hl7Problem[];
}
