/** The door of the access. `ehr`: an EHR that opens the desk, asks for cards or is sent results; `admin` and `cli` are the operator's: the admin API and the command line. */
export const AUDITED_DOORS = ['rest', 'fhir', 'hl7v2', 'ehr', 'admin', 'cli'] as const;
export type AuditedDoor = (typeof AUDITED_DOORS)[number];

/** R4 audit-event-action: create, read, update, delete, execute. */
export type AuditAction = 'C' | 'R' | 'U' | 'D' | 'E';

/** One access to a tenant's data, kept as evidence of who saw or changed what. Ids only, no clinical text. */
export interface Access {
  readonly door: AuditedDoor;
  /** R4 restful-interaction (`read`, `vread`, `search-type`, `create`, `update`, `transaction` …), or an operation with its `$`. */
  readonly interaction: string;
  readonly action: AuditAction;
  /** Ids of the patients whose data it was. Empty: of nobody, or of whom `wound` belongs to. */
  readonly patients: readonly string[];
  /** Set if only the wound is known: the access concerns its patient. */
  readonly wound?: string | undefined;
  /** `Type/id` of what was read or written, in FHIR's words for every door. For a search, `query` holds what was asked instead. */
  readonly resources: readonly string[];
  /** The query of a search, as it was sent. */
  readonly query?: string | undefined;
  /** Set if the access was refused: nothing was done or shown. */
  readonly refusal?: Refusal | undefined;
}

/** Why something was refused. */
export interface Refusal {
  readonly code: string;
  /** Refusals of one kind in a row are written as one. */
  readonly occurrences: number;
}

/** An access as it stands in the trail; one for each patient that it concerns. */
export interface AuditRecord extends Omit<Access, 'patients' | 'wound' | 'query' | 'refusal'> {
  /** Rises with time, over all tenants. */
  readonly id: string;
  readonly organizationId: string;
  readonly environment: 'test' | 'live';
  readonly recordedAt: Date;
  readonly keyId: string;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly patientId: string | null;
  readonly query: string | null;
  readonly refusal: Refusal | null;
  /** The person behind the request, as the key or client named them. */
  readonly person: string | null;
}
