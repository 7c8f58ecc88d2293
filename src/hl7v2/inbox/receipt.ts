import { acceptCodeOf, acknowledgmentModeOf, applicationCodeOf, isAsked, type AcknowledgedMessage, type AcknowledgmentMode } from '../ack/index.js';
import { decodeMessage, type MessageHeader } from '../er7/index.js';
import { headerProblems, receiptProblems, type Hl7Problem, type Hl7Source } from '../inbound/index.js';
import type { ApplicationAck, InboundRecord } from './inbound-record.js';

/** What can be said of a message before it is kept. */
export interface Receipt {
  readonly header: MessageHeader;
  readonly mode: AcknowledgmentMode;
  readonly problems: readonly Hl7Problem[];
  /** For what is answered at once. */
  readonly request: AcknowledgedMessage;
}

/**
 * Judges a message by what is known at receipt. In original mode that is its header alone, since the rest is judged once the message is safe; an
 * accept acknowledgment is final for the sender, so that there the whole of it is read.
 */
export function judge(bytes: Buffer, header: MessageHeader, source: Hl7Source): Receipt {
  const mode = acknowledgmentModeOf(header, source.acknowledgment);
  const ofHeader = headerProblems(header, source);
  if (mode.kind === 'original' || ofHeader.length > 0) return { header, mode, problems: ofHeader, request: { header, message: null } };
  const decoded = decodeMessage(bytes, { characterSet: source.characterSet });
  if (decoded.kind === 'undecodable') return { header, mode, problems: [decoded.problem], request: { header, message: null } };
  return { header, mode, problems: receiptProblems(decoded.message, decoded.header, source), request: { header: decoded.header, message: decoded.message } };
}

type Verdict = Pick<InboundRecord, 'state' | 'acceptCode' | 'applicationAck' | 'ackCode'>;

/** How a message is kept that was judged so. */
export function verdictOf({ mode, problems }: Receipt): Verdict {
  const isRefused = problems.length > 0;
  if (mode.kind === 'original') {
    return { state: isRefused ? 'failed' : 'received', acceptCode: null, applicationAck: 'now', ackCode: isRefused ? applicationCodeOf(problems) : null };
  }
  const code = acceptCodeOf(problems);
  const applicationAck: ApplicationAck = isRefused || mode.application === 'NE' ? 'never' : 'later';
  return { state: isRefused ? 'failed' : 'received', acceptCode: isAsked(mode.accept, !isRefused) ? code : null, applicationAck, ackCode: null };
}

const MSH_10 = { segment: 'MSH', sequence: 1, field: 10 } as const;

/** MSH-10 stands on another message already. */
export const CONTROL_ID_REUSED: Hl7Problem = {
  severity: 'error',
  condition: '205',
  place: MSH_10,
  code: 'message.control_id_reused',
  text: 'Another message with this control id came before. Use a new one, or have the source set to take them.',
};

/** Nothing is known of the rest. */
export const TOO_LONG: Hl7Problem = {
  severity: 'error',
  condition: '104',
  place: null,
  code: 'message.too_long',
  text: 'The message is larger than what is taken. Send photos by their address, or fewer at once.',
};

export const UNPARSABLE: Hl7Problem = {
  severity: 'error',
  condition: '100',
  place: { segment: 'MSH', sequence: 1 },
  code: 'segment.missing',
  text: 'The message does not begin with MSH and its field separator.',
};
