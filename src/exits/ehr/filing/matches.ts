import type { AnsweredResource } from '../calls/fhir-answer.js';
import { listOf } from '../calls/fhir-answer.js';

/** A number as it is asked for; `system` '': of whichever authority. */
export interface AskedNumber {
  readonly system: string;
  readonly value: string;
}

/** What a search says of one person, visit or provider. */
export type Match = { readonly kind: 'one'; readonly reference: string } | { readonly kind: 'none' | 'ambiguous' };

/** Resources of another server, as far as matching looks at them. */
interface Identified extends AnsweredResource {
  readonly identifier?: unknown;
  readonly link?: unknown;
  readonly subject?: { readonly reference?: unknown } | null;
  readonly period?: { readonly start?: unknown; readonly end?: unknown } | null;
  readonly status?: unknown;
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
  if (others.length > 0 || !carriesNumber(only, number) || isReplaced(only)) return { kind: 'ambiguous' };
  return referenceOf(only);
}

/** The one visit of the patient that carries the number. */
export function matchVisit(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  number: AskedNumber,
  patient: string,
): Match {
  const match = matchNumber({ ...found, resources: standing(found.resources) }, number);
  if (match.kind !== 'one') return match;
  const visit = standing(found.resources)[0]!;
  // A visit of somebody else: the numbers of patient and visit contradict each other.
  return visit.subject?.reference === patient ? match : { kind: 'ambiguous' };
}

/** The one visit of the patient whose period covers the moment; one without an end goes on. */
export function matchPeriod(
  found: { readonly resources: readonly AnsweredResource[]; readonly isWhole: boolean },
  moment: Date,
  patient: string,
): Match {
  if (!found.isWhole) return { kind: 'ambiguous' };
  const covering = standing(found.resources).filter(
    (visit) => visit.subject?.reference === patient && covers(visit.period, moment.getTime()),
  );
  const [only, ...others] = covering;
  if (only === undefined) return { kind: 'none' };
  return others.length > 0 ? { kind: 'ambiguous' } : referenceOf(only);
}

function standing(resources: readonly AnsweredResource[]): readonly Identified[] {
  return (resources as readonly Identified[]).filter(
    ({ status }) => status !== 'entered-in-error' && status !== 'cancelled',
  );
}

function carriesNumber({ identifier }: Identified, { system, value }: AskedNumber): boolean {
  return listOf(identifier).some((one) => {
    const stated = one as { readonly system?: unknown; readonly value?: unknown };
    return stated.value === value && (system === '' || stated.system === system);
  });
}

function isReplaced({ link }: Identified): boolean {
  return listOf(link).some((one) => (one as { readonly type?: unknown }).type === 'replaced-by');
}

function covers(period: Identified['period'], momentMs: number): boolean {
  const [start, end] = [edgeMs(period?.start, 0), edgeMs(period?.end, DAY_MS)];
  if (start === null) return false;
  return start <= momentMs && (end === null || momentMs <= end);
}

const DAY_MS = 86_400_000;

/** A day alone counts to its end, `dayMs` later. null: not stated. */
function edgeMs(text: unknown, dayMs: number): number | null {
  if (typeof text !== 'string') return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms + (text.length <= 10 ? dayMs : 0);
}

function referenceOf({ resourceType, id }: AnsweredResource): Match {
  return typeof id === 'string' && ID.test(id)
    ? { kind: 'one', reference: `${String(resourceType)}/${id}` }
    : { kind: 'ambiguous' };
}
