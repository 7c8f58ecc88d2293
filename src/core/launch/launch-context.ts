import type { ChartPatient } from '../ehrs/chart-identity.js';

/** Whom and what a launch is about, as the EHR stated it and after everything that could be checked of it was. Never kept. */
export interface LaunchContext {
  readonly patient: ChartPatient;
  /** `Encounter/ID` at the EHR, which is one of this patient's; null: none was stated, or it may not be read. */
  readonly encounter: string | null;
  readonly person: LaunchingPerson;
  /** As a link of a card gave it: the id of a wound here; null: none. */
  readonly appContext: string | null;
  /** False: the EHR shows whose chart it is, beside this page. */
  readonly needsBanner: boolean;
  readonly isFramed: boolean;
}

/** The clinician whom the EHR's id_token names. */
export interface LaunchingPerson {
  /** `Practitioner/ID` or `PractitionerRole/ID` at the EHR, in the form of `readPerson`. */
  readonly id: string;
  /** null: the EHR does not say; it is typed at the desk. */
  readonly name: string | null;
}
