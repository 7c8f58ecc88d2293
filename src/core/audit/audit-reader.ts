import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { AuditRecord } from './access.js';

/** From and until, the end excluded; null: without bound. */
export interface AuditInterval {
  readonly low: Date | null;
  readonly high: Date | null;
}

/** A number that a patient is known by; without `system` in any numbering. */
export interface NumberOfPatient {
  readonly system?: string | undefined;
  readonly value: string;
}

/** One condition on rows of the trail. Its values are alternatives. */
export type AuditCriterion =
  | { readonly kind: 'recorded'; readonly intervals: readonly AuditInterval[] }
  /** Ids of patients, those included that were joined into them since, and those that are erased. */
  | { readonly kind: 'patient'; readonly ids: readonly string[] }
  | { readonly kind: 'patient-number'; readonly numbers: readonly NumberOfPatient[] }
  | { readonly kind: 'agent'; readonly keyIds: readonly string[]; readonly persons: readonly string[] }
  /** `Type/id`. */
  | { readonly kind: 'resource'; readonly references: readonly string[] }
  | { readonly kind: 'interaction'; readonly names: readonly string[]; readonly orOperation: boolean }
  /** `searches`: whether those are among them, whatever their action. */
  | { readonly kind: 'action'; readonly actions: readonly string[]; readonly searches: boolean }
  | { readonly kind: 'refused'; readonly refused: readonly boolean[] }
  | { readonly kind: 'row'; readonly ids: readonly string[] };

/** All criteria hold of each row that is found. */
export interface AuditQuestion {
  readonly criteria: readonly AuditCriterion[];
  readonly newestFirst: boolean;
  readonly limit: number;
  /** Behind this row, in the order of the question. */
  readonly after: AuditPlace | null;
}

/** Where a page ended: rows are in the order of their time, and of their numbers within it. */
export interface AuditPlace {
  readonly id: string;
  /** With microseconds, as the database has it. */
  readonly at: string;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** null: there is no further row. */
  readonly end: AuditPlace | null;
  /** Rows up to then are not here but in archives, which the operator gives out; null: none are. */
  readonly archivedUpTo: Date | null;
}

/** The trail of one organization and environment, for its own data protection officer: no row of another is within reach. */
export abstract class AuditReader {
  abstract find(transaction: TenantTransaction, question: AuditQuestion): Promise<AuditPage>;
}
