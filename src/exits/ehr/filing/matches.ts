import { isInForce, isOtherBirthDate, isUnreadBirthDate } from '../../../core/ehrs/chart-identity.js';
import type { AnsweredResource } from '../calls/fhir-answer.js';
import { listOf } from '../calls/fhir-answer.js';
import { subjectOf } from './subject.js';

/** A number as it is asked for; `system` '': of whichever authority. */
export interface AskedNumber {
  readonly system: string;
  readonly value: string;
}

/** What a search says of one person, visit or provider. */
export type Match =
  | { readonly kind: 'one'; readonly reference: string }
  | { readonly kind: 'none' | 'ambiguous' | 'doubtful' };

/** What speaks against a patient who has the number. */
export interface PatientFacts {
  /** `1951-07-14`, `1951-07` or `1951`, as it is known here; null: it is not. */
  readonly birthDate: string | null;
  readonly now: Date;
  /** IANA; by whose clocks a day of a period counts. */
  readonly timeZone: string;
}

/** Resources of another server, as far as matching looks at them. */
interface Identified extends AnsweredResource {
  readonly identifier?: unknown;
  readonly link?: unknown;
  readonly period?: { readonly start?: unknown; readonly end?: unknown } | null;
  readonly status?: unknown;
  readonly birthDate?: unknown;
}

const ID = /^[A-Za-z0-9.-]{1,64}$/;

/**
 * The one resource that carries the number. A server that does not know the parameter answers whatever it has: what does not carry the number was
 * not asked for, and makes the answer doubtful. A record that was replaced by another is not the one.
 */
export function matchNumber(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  number: AskedNumber,
): Match {
  if (!found.isWhole) return { kind: 'ambiguous' };
  if (found.resources.length === 0) return { kind: 'none' };
  const [only, ...others] = found.resources as readonly [Identified, ...Identified[]];
  if (others.length > 0 || carriersOf(only, number).length === 0 || isReplaced(only)) return { kind: 'ambiguous' };
  return referenceOf(only);
}

/** The one patient who carries the number now, and whose birth date is not another one. */
export function matchPatient(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  number: AskedNumber,
  { birthDate, now, timeZone }: PatientFacts,
): Match {
  const [only] = found.resources as readonly (Identified | undefined)[];
  const isAlone = found.isWhole && only !== undefined && found.resources.length === 1;
  // Who had the number once is not asked for, and is no answer of a server that does not know the parameter.
  if (isAlone && carriersOf(only, number).length === 0 && identifiersOf(only).some((one) => isNumber(one, number)))
    return { kind: 'doubtful' };
  const match = matchNumber(found, number);
  if (match.kind !== 'one') return match;
  const isCurrent = carriersOf(only!, number).some(({ period }) =>
    isInForce({ period: periodOf(period) }, now, timeZone),
  );
  // One that is no text cannot be compared, which is not the same as none.
  if (only!.birthDate !== undefined && typeof only!.birthDate !== 'string') return { kind: 'doubtful' };
  const stated = textOf(only!.birthDate) ?? null;
  const isOther = isOtherBirthDate(birthDate, stated) || (stated !== null && isUnreadBirthDate(birthDate, stated));
  return isCurrent && !isOther ? match : { kind: 'doubtful' };
}

function periodOf(period: StatedIdentifier['period']): { readonly start?: string; readonly end?: string } {
  const [start, end] = [textOf(period?.start), textOf(period?.end)];
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whose visits are looked for: `Patient/id` at the server of this base. */
export interface VisitPatient {
  readonly patient: string;
  readonly fhirBaseUrl: string;
}

/** The one visit of the patient that carries the number. */
export function matchVisit(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  number: AskedNumber,
  whose: VisitPatient,
): Match {
  const match = matchNumber({ ...found, resources: standing(found.resources) }, number);
  if (match.kind !== 'one') return match;
  const visit = standing(found.resources)[0]!;
  // A visit of somebody else: the numbers of patient and visit contradict each other.
  return isOf(visit, whose) ? match : { kind: 'ambiguous' };
}

/** The one visit of the patient whose period covers the moment; one without an end goes on. */
export function matchPeriod(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  moment: Date,
  whose: VisitPatient,
): Match {
  if (!found.isWhole) return { kind: 'ambiguous' };
  const covering = standing(found.resources).filter(
    (visit) => isOf(visit, whose) && covers(visit.period, moment.getTime()),
  );
  const [only, ...others] = covering;
  if (only === undefined) return { kind: 'none' };
  return others.length > 0 ? { kind: 'ambiguous' } : referenceOf(only);
}

function isOf(visit: Identified, { patient, fhirBaseUrl }: VisitPatient): boolean {
  return subjectOf(visit, { fhirBaseUrl }) === patient;
}

function standing(resources: readonly AnsweredResource[]): readonly Identified[] {
  return (resources as readonly Identified[]).filter(
    ({ status }) => status !== 'entered-in-error' && status !== 'cancelled',
  );
}

/** An identifier of another server, as far as matching looks at it. */
interface StatedIdentifier {
  readonly system?: unknown;
  readonly value?: unknown;
  readonly use?: unknown;
  readonly period?: { readonly start?: unknown; readonly end?: unknown } | null;
}

function identifiersOf({ identifier }: Identified): readonly StatedIdentifier[] {
  return listOf(identifier);
}

function isNumber(stated: StatedIdentifier, { system, value }: AskedNumber): boolean {
  return stated.value === value && (system === '' || stated.system === system);
}

/** Those by which it has the number. One that is old has been another's since, or will be. */
function carriersOf(resource: Identified, number: AskedNumber): readonly StatedIdentifier[] {
  return identifiersOf(resource).filter((one) => one.use !== 'old' && isNumber(one, number));
}

function isReplaced({ link }: Identified): boolean {
  return listOf(link).some((one) => (one as { readonly type?: unknown }).type === 'replaced-by');
}

function covers(period: Identified['period'], momentMs: number): boolean {
  const [start, end] = [edgeMs(period?.start, 'start'), edgeMs(period?.end, 'end')];
  if (start === null) return false;
  return start <= momentMs && (end === null || momentMs <= end);
}

/** A day, month or year alone counts to its end where it is the end of a period. null: not stated. */
function edgeMs(text: unknown, edge: 'start' | 'end'): number | null {
  if (typeof text !== 'string') return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return null;
  if (edge === 'start' || text.length > 10) return ms;
  const [year, month, day] = text.split('-').map(Number) as [number, number?, number?];
  if (month === undefined) return Date.UTC(year + 1, 0, 1);
  return day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
}

function referenceOf({ resourceType, id }: AnsweredResource): Match {
  return typeof id === 'string' && ID.test(id)
    ? { kind: 'one', reference: `${String(resourceType)}/${id}` }
    : { kind: 'ambiguous' };
}
