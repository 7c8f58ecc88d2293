import type { TraceEvent } from '../../core/trace/trace.js';
import type { InboundRecord } from '../inbox/index.js';
import type { OutboundRecord } from '../outbound/index.js';

/** What came in and what became of it, and what an operator does where it stands still. Codes alone: texts may repeat what a person wrote. */
export function inboundEvents(record: InboundRecord): TraceEvent[] {
  const { id, receivedAt, processedAt, messageType, controlId, transport, keyId, acceptCode, ackCode, state, attempts, problems, erased } = record;
  const resources = [`MessageHeader/${id}`];
  const received = { at: receivedAt, what: 'hl7.received', resources, facts: stated({ type: messageType, controlId, transport, from: keyId, accepted: acceptCode }) };
  const next = nextOfInbound(record);
  const waits = state === 'received' && next !== undefined ? { next } : {};
  const ended: TraceEvent[] =
    processedAt === null ? [] : [{ at: processedAt, what: `hl7.${state}`, resources, facts: stated({ acknowledged: ackCode, attempts, problems: [...new Set(problems.map(({ code }) => code))].join(' ') }), ...(next === undefined ? {} : { next }) }];
  const cut = erased.map(({ erasedAt, sizeBytes, imageId }) => ({ at: new Date(erasedAt), what: 'hl7.photo_erased', resources, facts: stated({ sizeBytes, withImage: imageId }) }));
  return [{ ...received, ...waits }, ...ended, ...cut];
}

function nextOfInbound({ id, state, erased }: InboundRecord): string | undefined {
  if (state === 'received') return 'The message waits to be processed. Look at sutura_hl7_inbound_oldest_seconds, and whether a gateway is ready.';
  if (state === 'sealed') return `No key that is set opens the message: add the key to HL7_ENCRYPTION_KEY, then "hl7 requeue --id ${id}"; or "hl7 discard --id ${id}".`;
  if (state !== 'failed') return undefined;
  return `"hl7 show --id ${id}" has what its sender was told. ${erased.length > 0 ? 'Have it sent anew.' : `Have it corrected and sent again; or, once the cause is mended here, "hl7 replay --id ${id}".`}`;
}

/** What was made for one destination and how it fared. */
export function outboundEvents(record: OutboundRecord, isPaused: boolean): TraceEvent[] {
  const { id, createdAt, sentAt, deliveredAt, destinationId, controlId, kind, version, state, attempts, ackCode, ackCondition, applicationCode, parkedFor, fault, movedTo, erased } = record;
  const resources = [`MessageHeader/${id}`];
  const next = nextOfOutbound(record, isPaused);
  const step = { resources, ...(next === undefined ? {} : { next }) };
  const made: TraceEvent = { at: createdAt, what: 'hl7.result_made', resources, facts: stated({ kind, version, controlId, destination: destinationId }) };
  const standing = stated({ attempts, acknowledged: [ackCode, applicationCode, ackCondition].filter((code) => code !== null && code !== '').join(' '), parkedFor, fault, movedTo });
  const ended: TraceEvent[] = deliveredAt !== null && state === 'delivered' ? [{ ...step, at: deliveredAt, what: 'hl7.delivered', facts: standing }] : [{ ...step, at: sentAt ?? createdAt, what: `hl7.${state}`, facts: standing }];
  const cut = erased.map(({ erasedAt, sizeBytes, imageId }) => ({ at: new Date(erasedAt), what: 'hl7.photo_erased', resources, facts: stated({ sizeBytes, withImage: imageId }) }));
  return [made, ...ended, ...cut];
}

function nextOfOutbound({ id, destinationId, state, fault, attempts, parkedFor }: OutboundRecord, isPaused: boolean): string | undefined {
  if (state === 'parked') {
    if (parkedFor === 'sealed') return `No key that is set opens the message: add the key to HL7_ENCRYPTION_KEY, then "hl7 requeue --id ${id}"; or "hl7 discard --id ${id}".`;
    if (parkedFor === 'destination_deleted') return `Its destination was deleted: "hl7 move --id ${id} --to DESTINATION", or "hl7 discard --id ${id}".`;
    return `"hl7 show --id ${id}" has what its receiver said. Mend that, then "hl7 requeue --id ${id}"; or "hl7 move", "hl7 discard".`;
  }
  if (state !== 'waiting') return undefined;
  if (isPaused) return `Its destination is paused: "hl7 destination resume --id ${destinationId}".`;
  if (fault !== null) return `The receiver could not be reached or did not answer (${fault}): "hl7 destination test --id ${destinationId}", then "hl7 retry --id ${id}".`;
  if (attempts > 0) return `Its receiver refused it and it is tried again: "hl7 show --id ${id}" has what was said.`;
  return `It waits for its turn: for messages of the same patient before it, or for a gateway with the role hl7. "hl7 messages --out --destination ${destinationId} --state waiting" lists them.`;
}

function stated(facts: Readonly<Record<string, string | number | null>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string | number] => fact[1] !== null && fact[1] !== ''));
}
