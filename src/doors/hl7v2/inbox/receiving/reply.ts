import type { AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ReplyConnection } from '../processing/deferred-connections.js';

/** The sender of a message and the way it came. */
export interface MessageOrigin {
  readonly source: Hl7Source;
  readonly transport: 'mllp' | 'http';
  /** The listener, or the API key. */
  readonly keyId: string;
  /** Whether it may say what people decide of wounds: a listener may, a key with `analysis:review`. */
  readonly mayReview: boolean;
  readonly address: string;
  /** The connection that acknowledgments may follow on; null: none. */
  readonly connection: ReplyConnection | null;
}

/** The immediate answer to a message. */
export interface Reply {
  /** null: nothing is sent. */
  readonly ack: Buffer | null;
  /** MSA-1 of the decision, whether or not it is sent; null: the message cannot be answered. */
  readonly code: AcknowledgmentCode | null;
  readonly problems: readonly Hl7Problem[];
}
