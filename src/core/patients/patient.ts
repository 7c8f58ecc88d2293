import type { Tenant } from '../tenancy/tenant.js';

/**
 * A business identifier as an EHR gives it. `system` is a URI; '' stands for the organization's own numbering.
 */
export interface PatientIdentifier {
  readonly system: string;
  readonly value: string;
}

/** A patient is a row with many identifiers; images, jobs and wounds point at the row, so that a merge moves rows and not text. */
export interface Patient extends Tenant {
  readonly id: string;
  /** Each belongs to one patient only. The main one first. */
  readonly identifiers: readonly PatientIdentifier[];
  /** The row that stands now, where this one was joined into another; it then carries no identifier, and nothing is filed under it any more. */
  readonly mergedInto: string | null;
}
