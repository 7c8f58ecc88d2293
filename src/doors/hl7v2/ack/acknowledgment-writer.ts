import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type { AcknowledgmentCode } from './acknowledgment-code.js';
import { buildAcknowledgment, newAcknowledgmentId, type AcknowledgedMessage } from './acknowledgment.js';
import { responseTypeOf, type OrderAnswer } from './order-answers.js';
import { encodeText } from '../../../standards/hl7v2/er7/character-set.js';
import { formatTime } from '../../../standards/hl7v2/er7/hl7-time.js';
import type { Hl7Source } from '../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';

/** The content of an acknowledgment. */
export interface AcknowledgmentContent {
  readonly request: AcknowledgedMessage;
  readonly source: Pick<Hl7Source, 'timeZone' | 'typedOrderResponse' | 'processingIds'>;
  readonly code: AcknowledgmentCode;
  readonly problems: readonly Hl7Problem[];
  readonly isEnhanced: boolean;
  /** Orders of the message, answered one by one where the source wants typed responses. */
  readonly orders?: readonly OrderAnswer[];
  /** MSH-10; default: a new one. */
  readonly controlId?: string;
}

/** Writes acknowledgments as bytes, in the character set of the request. */
@Injectable()
export class AcknowledgmentWriter {
  constructor(private readonly clock: Clock) {}

  write({
    request,
    source,
    code,
    problems,
    isEnhanced,
    orders = [],
    controlId = newAcknowledgmentId(),
  }: AcknowledgmentContent): Buffer {
    const { header } = request;
    const isTyped =
      source.typedOrderResponse &&
      !isAccept(code) &&
      header !== null &&
      request.message !== null &&
      responseTypeOf(header) !== null;
    const answer = {
      code,
      problems,
      controlId,
      sentAt: this.clock.now(),
      timeZone: source.timeZone,
      processingId: source.processingIds[0] ?? 'P',
      isEnhanced,
      orders: isTyped ? orders : null,
    };
    return encodeText(buildAcknowledgment(request, answer), header?.characterSet ?? '');
  }

  /** A stored acknowledgment as a new message: MSH-7 and MSH-10 are new, everything else stays. */
  reissue(stored: Buffer, { timeZone }: Pick<Hl7Source, 'timeZone'>): Buffer {
    // Byte for byte, whatever the character set: MSH-7 and MSH-10 are ASCII, as are all delimiters.
    const text = stored.toString('latin1');
    const end = text.indexOf('\r') === -1 ? text.length : text.indexOf('\r');
    const fields = text.slice(0, end).split('|');
    fields[6] = formatTime(this.clock.now(), timeZone);
    fields[9] = newAcknowledgmentId();
    return Buffer.from(fields.join('|') + text.slice(end), 'latin1');
  }
}

function isAccept(code: AcknowledgmentCode): boolean {
  return code === 'CA' || code === 'CE' || code === 'CR';
}
