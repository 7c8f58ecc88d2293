import type { TenantTransaction } from '../ports/unit-of-work.js';

/** What is done to a wound between two photos. */
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

/** A step of treatment, or what happened to a wound, as a person recorded it. */
export interface ClinicalEvent {
  readonly id: string;
  readonly type: ClinicalEventType;
  readonly occurredAt: Date;
  /** The words of whoever recorded it. */
  readonly note: string | null;
  /** Who did it; null: not named. */
  readonly by: string | null;
}

/** Where recorded steps of treatment are read from. */
export abstract class ClinicalEvents {
  /** Those of one wound between two moments, both included, oldest first; withdrawn ones are none. */
  abstract during(
    transaction: TenantTransaction,
    woundId: string,
    period: { readonly from: Date; readonly to: Date },
  ): Promise<readonly ClinicalEvent[]>;
}

/** Where nothing records them. */
export class NoClinicalEvents extends ClinicalEvents {
  during(): Promise<readonly ClinicalEvent[]> {
    return Promise.resolve([]);
  }
}
