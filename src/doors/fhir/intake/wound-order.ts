import type { ServiceRequest } from '@medplum/fhirtypes';
import { LOINC, OBSERVABLE, SUTURA } from '../../../reports/index.js';

const SERVICE = `${SUTURA}/CodeSystem/service`;

/** True for an order of what this service does: the wound assessment panel, or the analysis by its own code. */
export function isWoundOrder({ code }: ServiceRequest): boolean {
  return (code?.coding ?? []).some(
    (coding) =>
      (coding.system === LOINC && coding.code === OBSERVABLE.panel.code) ||
      (coding.system === SERVICE && coding.code === 'wound-image-analysis'),
  );
}

/** Intents of authorized requests (R4 request-intent); not proposals, plans, directives and options. */
const AUTHORIZED: readonly ServiceRequest['intent'][] = [
  'order',
  'original-order',
  'reflex-order',
  'filler-order',
  'instance-order',
];

/** What is said of an order of a wound assessment that is not active. */
const NOT_ACTIVE: Readonly<Partial<Record<NonNullable<ServiceRequest['status']>, string>>> = {
  draft:
    'The order is a draft: it is kept, and nothing is analysed. Update it to the status active to order the analysis.',
  'on-hold': 'The order is on hold: its analysis waits. Update it to the status active to let it go on.',
  revoked: 'The order is revoked: it is kept, and nothing is analysed. Place a new order where an analysis is wanted.',
  'entered-in-error': 'The order was entered in error: it is kept, and nothing is analysed.',
  unknown:
    'The status of the order is unknown: it is kept, and nothing is analysed. Update it to the status active to order the analysis.',
};

/** Why the kind of request asks for no analysis, whatever its status; null: it is an order that may be carried out. */
export function whyNoOrder({ intent, doNotPerform }: ServiceRequest): string | null {
  if (doNotPerform === true)
    return 'The request says doNotPerform: it is kept, and nothing is analysed. Leave doNotPerform out where an analysis is wanted.';
  return AUTHORIZED.includes(intent)
    ? null
    : 'The request is no order by its intent: it is kept, and nothing is analysed. Analyses are ordered with the intent order.';
}

/** Why an order of a wound assessment has nothing analysed as it stands; null: it asks for analyses, or has had them. */
export function whyNothingFollows(order: ServiceRequest): string | null {
  return whyNoOrder(order) ?? NOT_ACTIVE[order.status!] ?? null;
}

/** The order in the words of core's analysis requests. */
export function orderKeyOf(orderId: string): string {
  return `ServiceRequest/${orderId}`;
}
