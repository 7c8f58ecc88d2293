import type { TracedAs } from '../../../../src/core/trace/trace.js';
import type { TraceEvent } from './answers.js';

/** What stands in the place of a code, for a person. */
const EVENTS: Readonly<Record<string, string>> = {
  'image.address_requested': 'An address to upload a photo to was asked for',
  'image.received': 'A photo came with a message or resource',
  'image.address_named': 'A photo was named by its address',
  'image.stored': 'The photo was stored',
  'image.deleted': 'The photo was deleted',
  'order.received': 'An order came',
  'job.created': 'The analysis was queued',
  'job.started': 'A worker began the analysis',
  'job.completed': 'The analysis is complete',
  'job.failed': 'The analysis failed',
  'report.version': 'The report was issued',
  'fhir.version': 'A FHIR resource was written',
  'hl7.received': 'An HL7 message came',
  'hl7.processed': 'The message was carried out',
  'hl7.ignored': 'The message was accepted without effect',
  'hl7.failed': 'The message was refused',
  'hl7.sealed': 'The message cannot be decrypted',
  'hl7.discarded': 'The message was given up',
  'hl7.result_made': 'A result message was made',
  'hl7.waiting': 'The result message waits to be sent',
  'hl7.delivered': 'The result message was delivered',
  'hl7.parked': 'The result message is parked',
  'hl7.collapsed': 'A newer version took the place of the result message',
  'hl7.moved': 'The result message was moved to another destination',
  'hl7.refused': 'The receiver refused the result message',
  'hl7.no_answer': 'The result message got no answer',
  'hl7.refused_later': 'The receiver’s application refused the result message later',
  'hl7.requeued': 'A person sent the result message again',
  'hl7.replayed': 'A person sent the result message once more',
  'hl7.retried': 'A person had the result message tried at once',
  'hl7.photo_erased': 'A photo was taken out of the message',
  'request.done': 'A request was answered',
  'request.refused': 'A request was refused',
  'delivery.waiting': 'A notification waits to be sent',
  'delivery.delivered': 'A notification was delivered',
  'delivery.parked': 'A notification is parked: its receiver did not take it',
  'delivery.refused': 'The receiver refused a notification',
  'delivery.no_answer': 'A notification got no answer',
  'delivery.refused_later': 'The receiver’s application refused a notification later',
  'delivery.requeued': 'A person sent a notification again',
  'delivery.replayed': 'A person sent a notification once more',
  'delivery.retried': 'A person had a notification tried at once',
  'delivery.collapsed': 'A newer notification took the place of this one',
  'delivery.moved': 'A notification was moved to another endpoint',
  'delivery.discarded': 'A notification was given up',
};

/** Why a photo went, after "The photo was deleted". */
const GONE: Readonly<Record<string, string>> = {
  retention: ': it was older than its organization keeps photos',
  erasure: ': everything of its patient was erased',
  unused: ': its upload was never finished',
  refused: ': the message that it came with was refused',
};

/** Who deleted a photo, by the door they came through. */
function deleterInWords({ by = '', door }: TraceEvent['facts']): string {
  const name = String(by);
  if (name.startsWith('user:')) return ` by ${name.slice('user:'.length)}`;
  return door === 'admin' || door === 'cli' ? ` by the operator ${name}` : ` by whoever holds the key ${name}`;
}

/** Of facts whose names are not words already. */
const FACTS: Readonly<Record<string, string>> = {
  accepted: 'accept acknowledgment',
  acknowledged: 'acknowledgment',
  controlId: 'MSH-10',
  from: 'listener or key',
  heightPx: 'height (px)',
  key: 'by key',
  movedTo: 'moved to message',
  parkedFor: 'parked because',
  request: 'request id',
  sizeBytes: 'size (bytes)',
  startedAt: 'started',
  waitedMs: 'waited (ms)',
  widthPx: 'width (px)',
  withImage: 'also image',
};

/** Kinds of id, as the gateway found one. */
export const TAKEN_FOR: Readonly<Record<TracedAs, string>> = {
  image: 'an image id',
  analysis: 'a job or order id',
  report: 'a report id',
  patient: 'a number of a patient',
  delivery: 'the id of a delivery',
  wound: 'a wound id',
  fhir_resource: 'the id of a FHIR resource',
  hl7_message: 'the id of an HL7 message',
  hl7_control_id: 'a control id (MSH-10)',
  hl7_order_number: 'an order number',
  request_id: 'a request id',
};

export function eventInWords({ what, facts }: Pick<TraceEvent, 'what' | 'facts'>): string {
  const words = EVENTS[what] ?? what.replaceAll(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase());
  if (what !== 'image.deleted') return words;
  return words + (facts.why === 'asked' ? deleterInWords(facts) : (GONE[String(facts.why)] ?? ''));
}

export const factInWords = (name: string): string => FACTS[name] ?? name;

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

const BAD = /failed|sealed|parked|refused|no_answer/;
const GOOD = /completed|delivered|processed|stored/;

/** The colour that goes with the words; never the only sign. */
export function toneOf({ what, next, facts }: TraceEvent): Tone {
  if (BAD.test(what) || 'unreadable' in facts) return 'bad';
  if (next !== null) return 'warn';
  return GOOD.test(what) ? 'good' : 'plain';
}

const STATE_TONES: Readonly<Record<string, Tone>> = {
  received: 'warn',
  processed: 'good',
  failed: 'bad',
  sealed: 'bad',
  waiting: 'warn',
  delivered: 'good',
  parked: 'bad',
  active: 'good',
  disabled: 'bad',
  paused: 'warn',
};
export const toneOfState = (state: string): Tone => STATE_TONES[state] ?? 'plain';
