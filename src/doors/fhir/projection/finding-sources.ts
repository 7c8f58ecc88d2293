import type { Media, Observation, Reference } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';

/** The photo of a report, as clinicians' findings for it are looked for. */
export interface PhotoOfReport {
  readonly media: Media;
  /** Of the report; null: nobody is named. */
  readonly patientId: string | null;
  readonly woundId: string;
}

/** The Observations of a report, those of clinicians with their authors. */
export interface ObservationsOfReport {
  readonly observations: readonly Observation[];
  /** What they were copied from. */
  readonly sources: readonly Reference[];
  /** Who stated them. */
  readonly statedBy: readonly Reference[];
}

/** Who stated what a report copies from clinicians' Observations, and where. */
export abstract class FindingSources {
  /** `hasEarlier`: the report has a version already, whose copies name sources that may have been corrected since. */
  abstract attribute(
    transaction: TenantTransaction,
    observations: readonly Observation[],
    photo: PhotoOfReport,
    version: { readonly hasEarlier: boolean },
  ): Promise<ObservationsOfReport>;
}
