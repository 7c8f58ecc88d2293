import type { TraceEvent } from '../../../../core/trace/trace.js';
import type { InboundRecord } from '../../../hl7v2/inbox/store/inbound-record.js';
import { pastEvents, type OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import type { ErasedFile } from '../../../../standards/hl7v2/er7/erased-file.js';
import { whyInbound, whyOutbound, type Reason } from '../operations/reasons.js';

const WAITS_TO_BE_PROCESSED: Reason = {
  text: 'waits to be processed',
  nextStep: 'Look at sutura_hl7_inbound_oldest_seconds, and whether a gateway is ready.',
};
const ERASED: Reason = { text: 'failed, and is kept without its photo', nextStep: 'Have it sent anew.' };
const PAUSED: Reason = { text: 'its destination is paused', nextStep: 'Let it go on with "hl7 destination resume".' };
const WAITS_ITS_TURN: Reason = {
  text: 'waits for its turn',
  nextStep:
    'Messages of the same patient go before it ("hl7 messages --out --state waiting"), and a gateway with the role hl7 sends it.',
};

/**
 * The events of an inbound message, with the next step where it stands still. Codes alone: texts may repeat what a
 * person wrote.
 */
export function inboundEvents(record: InboundRecord): TraceEvent[] {
  const {
    id,
    receivedAt,
    processedAt,
    messageType,
    controlId,
    transport,
    keyId,
    acceptCode,
    ackCode,
    state,
    attempts,
    problems,
    erased,
  } = record;
  const resources = [`MessageHeader/${id}`];
  const next = nextOf(id, whyItStands(record));
  const received: TraceEvent = {
    at: receivedAt,
    what: 'hl7.received',
    resources,
    facts: stated({ type: messageType, controlId, transport, from: keyId, accepted: acceptCode }),
    ...(state === 'received' ? next : {}),
  };
  const facts = stated({
    acknowledged: ackCode,
    attempts,
    problems: [...new Set(problems.map(({ code }) => code))].join(' '),
  });
  const ended: TraceEvent[] =
    state === 'received' ? [] : [{ at: processedAt ?? receivedAt, what: `hl7.${state}`, resources, facts, ...next }];
  return [received, ...ended, ...erasedEvents(resources, erased)];
}

/** Photos that it named by URL have events of their own. */
function whyItStands(record: InboundRecord): Reason | null {
  if (record.state === 'received') return WAITS_TO_BE_PROCESSED;
  return record.state === 'failed' && record.erased.length > 0
    ? ERASED
    : whyInbound({
        ...record,
        problems: record.problems.map((problem) => ({ ...problem, text: 'refused' })),
        photos: [],
      });
}

/** The events of a message to one destination. */
export function outboundEvents(record: OutboundRecord, isPaused: boolean): TraceEvent[] {
  const {
    id,
    createdAt,
    sentAt,
    deliveredAt,
    destinationId,
    controlId,
    kind,
    version,
    state,
    attempts,
    ackCode,
    ackCondition,
    applicationCode,
    parkedFor,
    fault,
    movedTo,
    erased,
    history,
  } = record;
  const resources = [`MessageHeader/${id}`];
  const made: TraceEvent = {
    at: createdAt,
    what: 'hl7.result_made',
    resources,
    facts: stated({ kind, version, controlId, destination: destinationId }),
  };
  const acknowledged = [ackCode, applicationCode, ackCondition]
    .filter((code) => code !== null && code !== '')
    .join(' ');
  const last = history.at(-1);
  const at = state === 'delivered' ? (deliveredAt ?? createdAt) : (last?.until ?? last?.at ?? sentAt ?? createdAt);
  // The last thing that a person did, or the service, is how it stands.
  const isLast = last?.what === state;
  const past = pastEvents('hl7', resources, isLast ? history.slice(0, -1) : history);
  const stands: TraceEvent = {
    at,
    what: `hl7.${state}`,
    resources,
    facts: stated({ attempts, acknowledged, parkedFor, fault, movedTo, by: isLast ? last.by : null }),
    ...nextOf(id, whyItWaits(record, isPaused)),
  };
  return [made, ...past, stands, ...erasedEvents(resources, erased)];
}

function whyItWaits(record: OutboundRecord, isPaused: boolean): Reason | null {
  if (record.state !== 'waiting') return whyOutbound(record);
  return isPaused ? PAUSED : (whyOutbound(record) ?? WAITS_ITS_TURN);
}

function nextOf(id: string, why: Reason | null): Pick<TraceEvent, 'next'> {
  return why === null ? {} : { next: `Message ${id}: ${why.text}. ${why.nextStep}` };
}

function erasedEvents(resources: readonly string[], erased: readonly ErasedFile[]): TraceEvent[] {
  return erased.map(({ erasedAt, sizeBytes, imageId }) => ({
    at: new Date(erasedAt),
    what: 'hl7.photo_erased',
    resources,
    facts: stated({ sizeBytes, withImage: imageId }),
  }));
}

function stated(facts: Readonly<Record<string, string | number | null>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number] => fact[1] !== null && fact[1] !== ''),
  );
}
