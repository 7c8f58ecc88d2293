import { isStanding } from '../../../hl7v2/mapping/held-plan.js';
import type { InboundRecord } from '../../../hl7v2/inbox/store/inbound-record.js';
import type { PointedPhoto } from '../../../hl7v2/inbox/store/pointed-photos.js';
import type { OutboundRecord, ParkedFor } from '../../../../exits/mllp/outbox/outbound-message.js';

/** The reason for a message's state, and the next step; docs/operating-hl7v2.md has the same words. */
export interface Reason {
  readonly text: string;
  readonly nextStep: string;
}

const reason = (text: string, nextStep: string): Reason => ({ text, nextStep });
const UNSEAL =
  'Put its key back into HL7_ENCRYPTION_KEY behind the others and restart, then "hl7 requeue"; or give it up with "hl7 discard".';
const WATCH = 'It is sent again by itself; "hl7 retry" does it now.';

/** By `parkedFor`. */
export const PARKED: Readonly<Record<ParkedFor, Reason>> = {
  refused: reason(
    'refused by its receiver',
    'Read the receiver’s words with "hl7 show". Have it mended there, or by "hl7 destination set"; then "hl7 requeue".',
  ),
  refused_later: reason(
    'accepted, then refused by the receiver’s application',
    'Read the receiver’s words with "hl7 show" and have it mended there; then "hl7 requeue".',
  ),
  sealed: reason('no key that is set opens it', UNSEAL),
  operator: reason('parked by a person', 'Send it with "hl7 requeue", or give it up with "hl7 discard".'),
  destination_deleted: reason(
    'its destination was deleted',
    'Send it elsewhere with "hl7 move", or give it up with "hl7 discard".',
  ),
};

/** By the first word of `fault`. */
export const FAULTS: Readonly<Record<string, Reason>> = {
  unreachable: reason(
    'no connection to its receiver',
    `Check host, port and firewall with "hl7 destination test". ${WATCH}`,
  ),
  tls: reason(
    'no TLS connection to its receiver',
    `"hl7 destination test" shows the certificate and when it ends; the code says what was wrong with it. ${WATCH}`,
  ),
  timeout: reason(
    'no acknowledgment in time',
    `Ask the receiver what it waits for; "ackTimeoutMs" of the destination is how long we do. ${WATCH}`,
  ),
  closed: reason(
    'its receiver closed the connection without an answer',
    `Look for the control id in the receiver’s log. ${WATCH}`,
  ),
  unreadable: reason(
    'its receiver answered by what is no acknowledgment',
    `Check that host and port are those of an HL7 v2 listener. ${WATCH}`,
  ),
  not_opened: reason(
    'a file of its destination’s TLS settings cannot be read',
    `Check the files that "hl7 destination show" names. ${WATCH}`,
  ),
  files_unavailable: reason(
    'our object store does not give its document or photo; its receiver was not asked',
    `Mend the store, or put the key back that the code asks for. ${WATCH}`,
  ),
  stopped: reason('the gateway was stopped meanwhile', WATCH),
};

const TRIED_AGAIN = reason(
  'refused by its receiver, and tried again',
  'Read the receiver’s words with "hl7 show". It is parked after the third further try.',
);
const SEALED = reason('no key that is set opens it', UNSEAL);
const PHOTO_LOST =
  'Have the photo sent again, as ED or from an address that answers; docs/operating-hl7v2.md has the codes.';

/** null: nothing is wrong with it. Codes follow the words. */
export function whyOutbound({
  state,
  parkedFor,
  fault,
  ackCode,
  ackCondition,
  applicationCode,
}: Pick<
  OutboundRecord,
  'state' | 'parkedFor' | 'fault' | 'ackCode' | 'ackCondition' | 'applicationCode'
>): Reason | null {
  const answer = [ackCode, ackCondition, applicationCode].filter((code) => code !== null).join(' ');
  if (state === 'parked') return withCode(PARKED[parkedFor ?? 'refused'], answer);
  if (state !== 'waiting') return null;
  if (fault !== null) return withCode(FAULTS[fault.split(' ', 1)[0]!] ?? reason('no acknowledgment', WATCH), fault);
  return answer === '' ? null : withCode(TRIED_AGAIN, answer);
}

/** null: nothing is wrong with it. */
export function whyInbound({
  state,
  problems,
  photos,
  heldItemId = null,
}: Pick<InboundRecord, 'state' | 'problems'> &
  Partial<Pick<InboundRecord, 'heldItemId'>> & {
    readonly photos: readonly PointedPhoto[];
  }): Reason | null {
  if (state === 'sealed') return SEALED;
  if (state === 'held' && isStanding(problems))
    return reason(
      'held since it was accepted, and cannot be carried out as it stands',
      `Its warnings say why. Put that right, then "held resolve --id ${heldItemId ?? ''} --action retry", or discard it.`,
    );
  if (state === 'held' && problems.some(({ code }) => code === 'patient.unknown'))
    return reason(
      'held until its patient is announced: it goes on by itself then',
      `Have the patient sent (ADT). Or look at it with "held show --id ${heldItemId ?? ''}", decide with "held resolve".`,
    );
  if (state === 'held')
    return reason(
      'held until a person has decided who is meant',
      `Look at it with "held show --id ${heldItemId ?? ''}", decide with "held resolve".`,
    );
  const error = problems.find(({ severity }) => severity === 'error');
  if (state === 'failed')
    return reason(
      error === undefined ? 'refused' : `${error.code}: ${error.text}`,
      'Have it corrected and sent again; or mend what it met here, and "hl7 replay" it. "hl7 show" has every problem with its place.',
    );
  const lost = photos.filter((photo) => photo.state === 'failed');
  if (lost.length === 0) return null;
  return reason(
    `${lost.length} of ${photos.length} photos could not be fetched (${[...new Set(lost.map(({ fault }) => fault ?? 'unknown'))].join(', ')})`,
    PHOTO_LOST,
  );
}

function withCode({ text, nextStep }: Reason, code: string): Reason {
  return { text: code === '' ? text : `${text} (${code})`, nextStep };
}
