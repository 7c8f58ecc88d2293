/** Doors that an order, or a photo without one, came through. */
export const DOORS = ['rest', 'fhir', 'hl7v2'] as const;

/** Where a result comes from: what a destination may be chosen by. */
export interface ResultOrigin {
  readonly door: (typeof DOORS)[number];
  /** null: not by HL7 v2. */
  readonly listenerId: string | null;
  /** MSH-4 of the order; null: not by HL7 v2. */
  readonly facility: string | null;
}
