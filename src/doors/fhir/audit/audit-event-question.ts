import { hash } from 'node:crypto';
import type { AuditCriterion, AuditInterval, AuditPlace, AuditQuestion } from '../../../core/audit/audit-reader.js';
import { identifierSystem } from '../../../reports/index.js';
import { badParameter, unsupported } from '../search/query/search-fault.js';
import { COUNT_LIMIT, DEFAULT_COUNT } from '../search/query/result-options.js';
import { dateInterval } from '../../../core/times/date-interval.js';
import { AUDIT_EVENT_CODES, idOfRow, INTERACTIONS, SEARCH_ACTION } from './to-audit-event.js';

/** Values of one parameter, and parameters of one search: each is work for the database. */
const MOST_VALUES = 100;
const MOST_PARAMETERS = 50;
const LONGEST_VALUE = 255;
const OF_THE_DOOR = ['_format', '_pretty'];

/** A search of AuditEvent, read. */
export interface AuditSearch {
  readonly question: AuditQuestion;
  /** The patients that were asked for by their ids. */
  readonly patients: readonly string[];
  /** The query of the next page, which begins behind the place. */
  readonly next: (end: AuditPlace) => string;
}

/** `fhir.search` for what is not served: a parameter that was left out would make the answer say something else than was asked. */
export function readAuditSearch(query: URLSearchParams, base: string): AuditSearch {
  const given = [...query].filter(([name]) => !OF_THE_DOOR.includes(name));
  if (given.length > MOST_PARAMETERS)
    throw badParameter(given[MOST_PARAMETERS]![0], `is one of more than ${MOST_PARAMETERS} parameters. Ask for less.`);
  const criteria = given.flatMap(([name, value]) => {
    if (['_count', '_sort', '_cursor'].includes(name)) return [];
    const read = Object.hasOwn(CRITERIA, name) ? CRITERIA[name] : undefined;
    if (read === undefined) throw unsupported(name, `is not served. Search by ${Object.keys(CRITERIA).join(', ')}.`);
    return read(valuesOf(name, value), name, base) ?? [];
  });
  const search = new URLSearchParams(given.filter(([name]) => name !== '_cursor' && name !== '_count')).toString();
  const question = {
    criteria,
    newestFirst: isNewestFirst(single(query, '_sort')),
    limit: countOf(single(query, '_count')),
    after: placeOf(search, single(query, '_cursor')),
  };
  const patients = criteria.flatMap((criterion) => (criterion.kind === 'patient' ? criterion.ids : []));
  const next = (end: AuditPlace): string => {
    const more = new URLSearchParams(query);
    more.set('_cursor', cursorOf(search, end));
    return more.toString();
  };
  return { question, patients, next };
}

/** null: it holds of every row. */
type ReadCriterion = (values: readonly string[], name: string, base: string) => AuditCriterion | null;

/** By the name of the parameter, as R4 has it for AuditEvent. */
const CRITERIA: Readonly<Record<string, ReadCriterion>> = {
  _id: (values) => ({ kind: 'row', ids: values.flatMap((id) => idOfRow(id) ?? []) }),
  date: (values, name) => ({ kind: 'recorded', intervals: values.flatMap((value) => intervalsOf(value, name)) }),
  patient: (values, name, base) => ({ kind: 'patient', ids: values.map((value) => patientOf(value, name, base)) }),
  'patient.identifier': (values, name) => ({
    kind: 'patient-number',
    numbers: values.map((value) => {
      const { system, code } = tokenOf(value);
      if (code === '')
        throw badParameter(name, 'must be a number of the patient, such as 4711 or urn:oid:2.999.1|4711.');
      return { system, value: code };
    }),
  }),
  agent: agentsOf,
  'agent:identifier': agentsOf,
  entity: (values, _, base) => ({ kind: 'resource', references: values.map((value) => relative(value, base)) }),
  action: (values) => {
    const actions = codesOf(values, AUDIT_EVENT_CODES.action);
    return { kind: 'action', actions, searches: actions.includes(SEARCH_ACTION) };
  },
  outcome: (values) => ({
    kind: 'refused',
    refused: codesOf(values, AUDIT_EVENT_CODES.outcome).flatMap((code) =>
      code === '0' ? [false] : code === '4' ? [true] : [],
    ),
  }),
  // Each row is of the same type.
  type: (values) => (codesOf(values, AUDIT_EVENT_CODES.type).includes('rest') ? null : { kind: 'row', ids: [] }),
  subtype: (values) => {
    const codes = codesOf(values, AUDIT_EVENT_CODES.interaction);
    const names = codes.filter((code) => INTERACTIONS.includes(code));
    return { kind: 'interaction', names, orOperation: codes.includes('operation') };
  },
};

/** The names of the parameters, for the CapabilityStatement. */
export const AUDIT_EVENT_PARAMETERS = Object.keys(CRITERIA);

/** Alternatives, separated by commas; one that belongs to the value has a backslash before it. */
function valuesOf(name: string, text: string): string[] {
  const values = text.split(/(?<!\\),/).map((value) => value.replace(/\\([,|$\\])/g, '$1'));
  if (values.length > MOST_VALUES)
    throw badParameter(name, `has more than ${MOST_VALUES} values. Ask in several searches.`);
  if (values.some((value) => value === '' || value.length > LONGEST_VALUE || value.includes('\0')))
    throw badParameter(name, `must have values of 1 to ${LONGEST_VALUE} characters.`);
  return values;
}

/** `low` and `high` of the value's own interval; R4 search.html 3.1.1.4.7. */
function intervalsOf(value: string, name: string): AuditInterval[] {
  const [, prefix = 'eq', rest = ''] = /^(eq|ne|gt|lt|ge|le|sa|eb)?(.*)$/s.exec(value)!;
  const interval = dateInterval(rest);
  if (interval === null)
    throw badParameter(name, 'must be a date such as ge2026-03, 2026-03-01 or lt2026-03-01T10:00:00+01:00.');
  const { low, high } = interval;
  switch (prefix) {
    case 'ne':
      return [
        { low: null, high: low },
        { low: high, high: null },
      ];
    case 'gt':
    case 'sa':
      return [{ low: high, high: null }];
    case 'ge':
      return [{ low, high: null }];
    case 'lt':
    case 'eb':
      return [{ low: null, high: low }];
    case 'le':
      return [{ low: null, high }];
    default:
      return [interval];
  }
}

function patientOf(value: string, name: string, base: string): string {
  const [, id] = /^(?:Patient\/)?([A-Za-z0-9.-]{1,64})$/.exec(relative(value, base)) ?? [];
  if (id === undefined) throw badParameter(name, 'must be the id of a Patient, such as Patient/01890000-….');
  return id.toLowerCase();
}

/** A key or client by its id, or a person as the calling system names them: none of them is a resource here. */
function agentsOf(values: readonly string[]): AuditCriterion {
  const tokens = values.map(tokenOf);
  const ofKeys = tokens.filter(({ system }) => system === undefined || system === identifierSystem('api-key'));
  const ofPersons = tokens.filter(({ system }) => system === undefined || system === '');
  return { kind: 'agent', keyIds: ofKeys.map(({ code }) => code), persons: ofPersons.map(({ code }) => code) };
}

/** `code`, `|code` (without a system), `system|code`. */
function tokenOf(value: string): { readonly system?: string; readonly code: string } {
  const bar = value.lastIndexOf('|');
  return bar < 0 ? { code: value } : { system: value.slice(0, bar), code: value.slice(bar + 1) };
}

function codesOf(values: readonly string[], system: string): string[] {
  return values
    .map(tokenOf)
    .filter((token) => token.system === undefined || token.system === system)
    .map(({ code }) => code);
}

function relative(value: string, base: string): string {
  return value.startsWith(`${base}/`) ? value.slice(base.length + 1) : value;
}

function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw badParameter(name, 'must be there once.');
  return values[0] ?? null;
}

function isNewestFirst(sort: string | null): boolean {
  if (sort !== null && sort !== 'date' && sort !== '-date') throw unsupported('_sort', 'must be date or -date.');
  return sort !== 'date';
}

function countOf(count: string | null): number {
  if (count === null) return DEFAULT_COUNT;
  if (!/^[1-9]\d{0,8}$/.test(count)) throw badParameter('_count', 'must be a whole number from 1.');
  return Math.min(Number(count), COUNT_LIMIT);
}

/** Opaque to clients, and checked rather than signed: a forged one leads no further than to another place of the same search. */
function cursorOf(search: string, { id, at }: AuditPlace): string {
  return Buffer.from(JSON.stringify([fingerprintOf(search), id, at])).toString('base64url');
}

function placeOf(search: string, cursor: string | null): AuditPlace | null {
  if (cursor === null) return null;
  const [print, id, at] = partsOf(cursor);
  if (print !== fingerprintOf(search) || !/^[1-9]\d{0,17}$/.test(String(id)) || !isMoment(String(at)))
    throw badParameter('_cursor', 'is not one of this search. Begin with its first page.');
  return { id: String(id), at: String(at) };
}

/** A day that is in the calendar, with six decimals: PostgreSQL has it as it is. */
function isMoment(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
}

function partsOf(cursor: string): unknown[] {
  if (cursor.length > 500) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function fingerprintOf(search: string): string {
  return hash('sha256', search).slice(0, 16);
}
