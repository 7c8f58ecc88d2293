import { at, codingsOf, identifiersOf, textAt, type Resource } from './json.js';
import { Refusal } from './outcome.js';
import { encountersOf, patientOf } from './rules/base.js';

/** Parameters of a search that choose no resources. */
const RESULT_PARAMETERS = ['_count', '_offset'];
const DATES = ['date', 'period'];

/** Refuses unknown parameters, modifiers and values that are none: a server that ignores them answers too much. */
export function checkCriteria(type: string, criteria: URLSearchParams, known: readonly string[]): void {
  for (const [name, value] of criteria) {
    if (RESULT_PARAMETERS.includes(name)) continue;
    if (!known.includes(name))
      throw new Refusal(400, { code: 'not-supported', text: `${type} is not searched by ${name}.` });
    const parts = value.split(',');
    if (parts.includes('')) throw new Refusal(400, { code: 'invalid', text: `${name} is empty.` });
    if (DATES.includes(name)) parts.forEach((part) => readDate(name, part));
  }
}

/** Whether a resource fits all criteria, which were checked. */
export function matches(resource: Resource, criteria: URLSearchParams): boolean {
  return [...criteria].every(
    ([name, value]) => RESULT_PARAMETERS.includes(name) || value.split(',').some((one) => fits(resource, name, one)),
  );
}

function fits(resource: Resource, name: string, value: string): boolean {
  switch (name) {
    case '_id':
      return textAt(resource, 'id') === value;
    case 'identifier':
      return fitsIdentifier(resource, value);
    case 'patient':
    case 'subject':
      return patientOf(resource) === withType(value, 'Patient');
    case 'encounter':
      return encountersOf(resource).includes(withType(value, 'Encounter'));
    case 'practitioner':
      return textAt(resource, 'practitioner', 'reference') === withType(value, 'Practitioner');
    case 'type':
    case 'code':
    case 'category':
      return fitsCode(codingsOf(resource[name]), value);
    case 'class':
      return fitsCode([{ system: textAt(resource, name, 'system'), code: textAt(resource, name, 'code') }], value);
    case 'status':
      return fitsCode([{ system: undefined, code: textAt(resource, name) }], value);
    case 'date':
    case 'period':
      return fitsTime(timeOf(resource, name), name, value);
    default:
      throw new Refusal(400, { code: 'not-supported', text: `There is no search by ${name}.` });
  }
}

function withType(value: string, type: string): string {
  return value.startsWith(`${type}/`) ? value : `${type}/${value}`;
}

function fitsIdentifier(resource: Resource, value: string): boolean {
  const [before, after] = split(value);
  return identifiersOf(resource).some(
    ({ system, value: stated }) => stated === after && (before === undefined || system === before),
  );
}

function fitsCode(
  codings: readonly { readonly system: string | undefined; readonly code: string | undefined }[],
  value: string,
): boolean {
  const [before, after] = split(value);
  return codings.some(
    ({ system, code }) => (after === '' || code === after) && (before === undefined || (system ?? '') === before),
  );
}

/** `system|code`: the system is undefined where there is no bar. */
function split(value: string): readonly [string | undefined, string] {
  const bar = value.indexOf('|');
  return bar < 0 ? [undefined, value] : [value.slice(0, bar), value.slice(bar + 1)];
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The time that a date search looks at: of an Encounter its period, of a document its date or the period of its context. */
function timeOf(resource: Resource, name: string): Span | null {
  if (resource.resourceType === 'Encounter') return spanOf(at(resource, 'period'));
  if (name === 'period') return spanOf(at(resource, 'context', 'period'));
  const stated = ['date', 'effectiveDateTime'].map((element) => textAt(resource, element)).find((one) => one);
  return stated === undefined ? null : toSpan(stated);
}

function spanOf(period: unknown): Span | null {
  const [start, end] = [textAt(period, 'start'), textAt(period, 'end')];
  if (start === undefined && end === undefined) return null;
  return {
    startMs: start === undefined ? -Infinity : toSpan(start).startMs,
    endMs: end === undefined ? Infinity : toSpan(end).endMs,
  };
}

const DAY_MS = 86_400_000;

/** A date covers its day, and a time its second. */
function toSpan(text: string): Span {
  const startMs = Date.parse(text);
  if (Number.isNaN(startMs)) throw new Refusal(400, { code: 'invalid', text: 'That is no date.' });
  return { startMs, endMs: startMs + (text.length <= 10 ? DAY_MS : 1_000) - 1 };
}

function fitsTime(span: Span | null, name: string, value: string): boolean {
  const { prefix, asked } = readDate(name, value);
  if (span === null) return false;
  switch (prefix) {
    case 'ge':
      return span.endMs >= asked.startMs;
    case 'gt':
      return span.endMs > asked.endMs;
    case 'le':
      return span.startMs <= asked.endMs;
    case 'lt':
      return span.startMs < asked.startMs;
    case 'eq':
      return asked.startMs <= span.startMs && span.endMs <= asked.endMs;
  }
}

type Prefix = 'eq' | 'ge' | 'gt' | 'le' | 'lt';

/** A date of a search with its prefix, of which some are not served. */
function readDate(name: string, value: string): { readonly prefix: Prefix; readonly asked: Span } {
  const [, prefix = 'eq', text] = /^(eq|ge|le|gt|lt)?(\d.*)$/.exec(value) ?? [];
  if (text === undefined)
    throw new Refusal(400, { code: 'invalid', text: `${name} is no date with a prefix that is served.` });
  return { prefix: prefix as Prefix, asked: toSpan(text) };
}

/** Which criteria are stated at all; a search of a whole hospital is refused. */
export function requireCriteria(criteria: URLSearchParams, needed: readonly string[] | undefined): void {
  const stated = [...criteria.keys()].filter((name) => !RESULT_PARAMETERS.includes(name));
  if (needed !== undefined && !needed.some((name) => stated.includes(name)))
    throw new Refusal(400, { code: 'required', text: `A search needs one of ${needed.join(', ')}.` });
  if (stated.length === 0 && needed === undefined)
    throw new Refusal(400, { code: 'required', text: 'A search needs a criterion.' });
}

/** How many an answer shows, as asked or by the server's own size. */
export function pageOf(
  criteria: URLSearchParams,
  pageSize: number,
): { readonly offset: number; readonly count: number } {
  const [offset, count] = ['_offset', '_count'].map((name) => {
    const stated = criteria.get(name);
    if (stated !== null && !/^\d{1,6}$/.test(stated))
      throw new Refusal(400, { code: 'invalid', text: `${name} is no number.` });
    return stated === null ? undefined : Number(stated);
  });
  return { offset: offset ?? 0, count: Math.min(count ?? pageSize, pageSize) };
}
