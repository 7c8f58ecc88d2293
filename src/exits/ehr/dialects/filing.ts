import type { Bundle, DiagnosticReport, DocumentReference, Observation } from '@medplum/fhirtypes';
import type { EhrPush } from '../../../core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { SUTURA } from '../../../reports/index.js';

/** A part of a version that is filed as a resource of its own; `bundle`: all of it in one transaction. */
export type FiledPart = 'bundle' | 'document' | 'report' | `observation-${string}`;

export type FiledType = 'DocumentReference' | 'Observation' | 'DiagnosticReport';
export type FiledForm = DocumentReference | Observation | DiagnosticReport;

/** A resource that an EHR keeps of a report. */
export interface FiledResource {
  readonly part: FiledPart;
  readonly type: FiledType;
  /** The EHR’s own id. */
  readonly id: string;
  readonly versionId: string | null;
  /** The version of the report that it was written from. */
  readonly version: number;
  /** `Patient/id` in whose chart it is. */
  readonly patient: string;
  /** A later document of the report took its place, and it says so. */
  readonly isSuperseded: boolean;
  /** Somebody has entered it in error: no document takes its place. */
  readonly isInError?: boolean;
  /** What stands there was not what was sent when it was found: a correction is not filed on it. */
  readonly mayDiffer?: boolean;
}

/** The document of a version in the form that the EHR takes. */
export interface DocumentBytes {
  readonly contentType: 'application/pdf' | 'text/plain';
  readonly bytes: Uint8Array;
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
}

/** All that the writes of one version are made from. */
export interface FilingFacts {
  readonly report: ClinicalReport;
  /** All versions of the report, oldest first. */
  readonly versions: readonly ClinicalReport[];
  /** `Patient/id` of the EHR. */
  readonly patient: string;
  /** `Encounter/id` of the EHR; null: results name none. */
  readonly encounter: string | null;
  /** `Practitioner/id` of the EHR who decided; null: not looked up. */
  readonly author: string | null;
  /** null: no document is sent. */
  readonly document: DocumentBytes | null;
  /** What stands in the EHR of earlier versions, each resource once; what was entered in error does not. */
  readonly before: readonly FiledResource[];
  readonly settings: EhrPush;
  readonly snomed: boolean;
  /** IANA zone of days in texts. */
  readonly timeZone: string;
}

/** How a resource is found that an earlier request may have made. */
export interface Look {
  readonly type: FiledType;
  /** Of our identifier: what has it is the one. */
  readonly value: string;
  readonly parameters: Readonly<Record<string, string | readonly string[]>> & { readonly patient: string };
  /** Whether a resource without our identifier is the one; null: that cannot be told. `bytes`: of its first attachment; null: not read. */
  isOurs(resource: FiledForm, bytes: Buffer | null): boolean | null;
  /** `isOurs` needs the bytes of the first attachment, which may have to be fetched. */
  readonly readsContent: boolean;
}

/** One request that files a part, or changes what was filed. */
export type Write =
  | {
      readonly kind: 'create';
      readonly part: FiledPart;
      readonly resource: FiledForm;
      readonly look: Look;
      /** Its name in its transaction, by which other entries refer to it. */
      readonly fullUrl?: string;
    }
  /** `look`: tells whether it was done already. `keeps`: elements that stay as they stand there. */
  | {
      readonly kind: 'update';
      readonly part: FiledPart;
      readonly resource: FiledForm;
      readonly of: FiledResource;
      readonly look: Look;
      readonly keeps?: readonly ('author' | 'context' | 'contained')[];
    }
  /** The resource as it stands there, with another status. */
  | { readonly kind: 'amend'; readonly part: FiledPart; readonly status: string; readonly of: FiledResource };

/** A write that changes what stands in the EHR. */
export type Change = Exclude<Write, { kind: 'create' }>;

/** The request of one delivery. */
export type Filing =
  /** Nothing stands in the EHR that it would change. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'one'; readonly write: Write }
  /** One after another: each changes what stands, and may be done again. */
  | { readonly kind: 'each'; readonly writes: readonly Change[] }
  | { readonly kind: 'transaction'; readonly writes: readonly Write[] };

/** The form of results for one kind of EHR. Pure. */
export interface Dialect {
  /** What a version is filed as, in the order of sending. */
  partsOf(report: ClinicalReport, settings: EhrPush): readonly FiledPart[];
  filingOf(part: FiledPart, facts: FilingFacts): Filing;
  /** Why these settings cannot work with such a server, in sentences; empty: they can. */
  faultsOf(settings: EhrPush): readonly string[];
  /** What the server must be able to do. */
  needsOf(settings: EhrPush): readonly Need[];
  /** A withdrawn document is marked by its status, or by a further document that says so. */
  readonly withdrawsBy: 'status' | 'document';
  /** Everything goes in one transaction. */
  readonly isBundled: boolean;
  readonly form: 'pdf' | 'text';
  readonly language: 'en' | 'de';
  /** A result names the person who decided as a Practitioner of the EHR. */
  readonly namesAuthor: boolean;
}

/** An interaction that a server must declare. */
export interface Need {
  /** Absent: of the server as a whole. */
  readonly type?: FiledType | 'Patient' | 'Encounter' | 'Practitioner';
  readonly interaction: 'create' | 'update' | 'search-type' | 'transaction' | 'conditional-create';
}

/** System of the identifiers that resources get which are filed elsewhere. */
export const FILED_SYSTEM = `${SUTURA}/sid/filed`;

/** The same at every try, and another for every version: `report/part/v2`. */
export function filedValue({ id, version }: Pick<ClinicalReport, 'id' | 'version'>, part: FiledPart): string {
  return `${id}/${part}/v${version}`;
}

/**
 * A change keeps the names of the versions before: a create of theirs that is carried out late finds them by its condition, and makes nothing beside
 * it.
 */
export function withNamesBefore<T extends Observation | DiagnosticReport>(
  resource: T,
  { report, versions }: Pick<FilingFacts, 'report' | 'versions'>,
  part: FiledPart,
): T {
  const before = versions.filter(({ version }) => version < report.version).toReversed();
  const names = before.map((one) => ({ system: FILED_SYSTEM, value: filedValue(one, part) }));
  return { ...resource, identifier: [...(resource.identifier ?? []), ...names] };
}

/** What stands of a part, by its newest version; null: nothing. What was superseded counts for a withdrawal alone. */
export function standingOf(facts: Pick<FilingFacts, 'before'>, part: FiledPart): FiledResource | null {
  return allStandingOf(facts, part).find(({ isSuperseded }) => !isSuperseded) ?? null;
}

/** The document that a further one takes the place of; null: none, or nobody is to rely on it any more. */
export function replacedDocument(facts: Pick<FilingFacts, 'before'>): FiledResource | null {
  return allStandingOf(facts, 'document').find((one) => !one.isSuperseded && one.isInError !== true) ?? null;
}

/** All that stands of a part, newest first. */
export function allStandingOf({ before }: Pick<FilingFacts, 'before'>, part: FiledPart): readonly FiledResource[] {
  return before.filter((one) => one.part === part).sort((a, b) => b.version - a.version);
}

/** Marks all that stands of a part as entered in error. */
export function withdrawAll(facts: Pick<FilingFacts, 'before'>, part: FiledPart): readonly Change[] {
  return allStandingOf(facts, part).map((of) => ({ kind: 'amend', part, status: 'entered-in-error', of }));
}

/** The writes of a request, in their order. */
export function writesOf(filing: Filing): readonly Write[] {
  switch (filing.kind) {
    case 'nothing':
      return [];
    case 'one':
      return [filing.write];
    case 'each':
    case 'transaction':
      return filing.writes;
  }
}

/** Whether writes take back alone: each of them counts, whatever becomes of the others. */
export function takesBack(writes: readonly Write[]): boolean {
  return writes.every((write) => endedBy(write) === 'entered-in-error');
}

/** What a write leaves behind, where that is nothing to rely on. */
export function endedBy(write: Write): 'entered-in-error' | 'superseded' | undefined {
  const status = write.kind === 'amend' ? write.status : write.resource.status;
  return status === 'entered-in-error' || status === 'superseded' ? status : undefined;
}

export function isWithdrawn({ status }: Pick<ClinicalReport, 'status'>): boolean {
  return status === 'entered-in-error';
}

export function bundleOf(entries: Bundle['entry']): Bundle {
  return { resourceType: 'Bundle', type: 'transaction', ...(entries === undefined ? {} : { entry: entries }) };
}

/** The condition of a create: nothing with our identifier is in the chart of the patient (`Patient/id`). */
export function onlyOnce(resource: FiledForm, patient: string): string {
  const chart = encodeURIComponent(patient.replace('Patient/', ''));
  return `patient=${chart}&identifier=${encodeURIComponent(filedIdentifier(resource))}`;
}

/** `system|value` of our identifier of a resource; `none` where it has none. */
export function filedIdentifier({ identifier }: FiledForm, none?: string): string {
  const own = Array.isArray(identifier) ? identifier.find(({ system }) => system === FILED_SYSTEM) : undefined;
  if (own?.value !== undefined) return `${FILED_SYSTEM}|${own.value}`;
  if (none === undefined) throw new TypeError('A resource without an identifier is not filed.');
  return none;
}
