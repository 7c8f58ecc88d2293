import { acceptCodeOf, applicationCodeOf } from '../../ack/acknowledgment-code.js';
import { acknowledgmentModeOf, isAsked, type AcknowledgmentMode } from '../../ack/acknowledgment-mode.js';
import type { AcknowledgedMessage } from '../../ack/acknowledgment.js';
import { inTurns, ownTurnFor } from '../../../../platform/turns/turns.js';
import { decodingMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import type { MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import { tooManyLines } from '../../../../standards/hl7v2/er7/limits.js';
import type { PeekedHeader } from '../../../../standards/hl7v2/er7/message-header.js';
import { headerProblems, receiptProblems } from '../../mapping/header-check.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { refused } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import type { ApplicationAck, InboundRecord } from '../store/inbound-record.js';

/** The judgement of a message before it is stored. */
export interface InitialVerdict {
  readonly header: MessageHeader;
  readonly mode: AcknowledgmentMode;
  readonly problems: readonly Hl7Problem[];
  /** What an immediate acknowledgment answers. */
  readonly request: AcknowledgedMessage;
  /** The message has too many lines to be searched for numbers and files. */
  readonly isTooLong: boolean;
}

/**
 * Judges a message at receipt. In original mode the header alone counts, since the rest is judged once the message is safe. An accept
 * acknowledgment is final for the sender, so in enhanced mode the whole message is read.
 */
export async function judgeOnReceipt(bytes: Buffer, peeked: PeekedHeader, source: Hl7Source): Promise<InitialVerdict> {
  const { header } = peeked;
  const mode = acknowledgmentModeOf(header, source.acknowledgment);
  await ownTurnFor(bytes);
  const tooLong = tooManyLines(bytes);
  await ownTurnFor(bytes);
  const ofHeader = tooLong === null ? headerProblems(header, source) : [tooLong];
  const known = { header, mode, isTooLong: tooLong !== null };
  if (mode.kind === 'original' || ofHeader.length > 0)
    return { ...known, problems: ofHeader, request: { header, message: null } };
  const decoded = await inTurns(decodingMessage(bytes, { characterSet: source.characterSet }, peeked));
  if (decoded.kind === 'undecodable')
    return { ...known, problems: [decoded.problem], request: { header, message: null } };
  return {
    ...known,
    problems: receiptProblems(decoded.message, decoded.header, source),
    request: { header: decoded.header, message: decoded.message },
  };
}

type InitialState = Pick<InboundRecord, 'state' | 'acceptCode' | 'applicationAck' | 'ackCode'>;

/** The state that a message with this verdict is stored in. */
export function initialStateOf({ mode, problems }: InitialVerdict): InitialState {
  const isRefused = problems.length > 0;
  if (mode.kind === 'original') {
    return {
      state: isRefused ? 'failed' : 'received',
      acceptCode: null,
      applicationAck: 'now',
      ackCode: isRefused ? applicationCodeOf(problems) : null,
    };
  }
  const code = acceptCodeOf(problems);
  const applicationAck: ApplicationAck = isRefused || mode.application === 'NE' ? 'never' : 'later';
  return {
    state: isRefused ? 'failed' : 'received',
    acceptCode: isAsked(mode.accept, !isRefused) ? code : null,
    applicationAck,
    ackCode: null,
  };
}

/** Another message has this MSH-10. */
export const CONTROL_ID_REUSED = refused('message.control_id_reused', { segment: 'MSH', sequence: 1, field: 10 });

export const TOO_LONG = refused('message.too_long', null);

export const UNPARSABLE = refused(
  'segment.missing',
  { segment: 'MSH', sequence: 1 },
  'The message does not begin with MSH and its field separator.',
);
