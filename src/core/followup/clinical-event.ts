import type { Reviewer } from './wound.js';

/** What is done to a wound, or happens to it, between its photos. */
export const CLINICAL_EVENT_TYPES = [
  'debridement',
  'graft',
  'skin_substitute',
  'compression',
  'offloading',
  'negative_pressure',
  'antibiotics',
  'surgery',
  'amputation',
  'dressing_change',
  'trauma',
  'other',
] as const;
export type ClinicalEventType = (typeof CLINICAL_EVENT_TYPES)[number];

/** Those that change the area by themselves: the next photo is a new baseline of it. */
export const RESETTING_EVENTS = ['debridement', 'graft', 'surgery'] as const satisfies readonly ClinicalEventType[];
export type ResettingEvent = (typeof RESETTING_EVENTS)[number];

/** An event that was recorded of the wrong wound, or never was. */
export interface EventWithdrawal {
  readonly withdrawnAt: Date;
  /** null: the caller named nobody. */
  readonly by: Reviewer | null;
  readonly note: string | null;
  /** The person behind the request (X-Sutura-User); null: not named. */
  readonly enteredBy: string | null;
}

/** Recorded once and never changed: it can be withdrawn, and stays in the history of its wound. */
export interface ClinicalEvent {
  readonly id: string;
  /** The wound that it was recorded of, which may have been merged into another since. */
  readonly woundId: string;
  readonly type: ClinicalEventType;
  readonly occurredAt: Date;
  readonly note: string | null;
  /** Who did it or saw it; null: the caller named nobody. */
  readonly by: Reviewer | null;
  readonly recordedAt: Date;
  /** The person behind the request (X-Sutura-User); null: not named. */
  readonly enteredBy: string | null;
  /** null: it stands. */
  readonly withdrawal: EventWithdrawal | null;
}

/** Of an event what the areas of a wound are compared by. */
export type TimedEvent = Pick<ClinicalEvent, 'type' | 'occurredAt'>;

export function isResetting(event: TimedEvent): event is TimedEvent & { readonly type: ResettingEvent } {
  return RESETTING_EVENTS.some((type) => type === event.type);
}
