import type { Parameters, ParametersParameter, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Preferences } from '../call/preferences.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { isResultParameter } from '../search/query/result-options.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { ExportFilter, ExportOptions } from './bulk-export.js';
import { exportedTypes, readsAll } from './exported-types.js';

const NDJSON = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];
const SUPPORTED = ['_outputFormat', '_since', '_type', '_typeFilter'];
/** Ignoring it would export more than was asked for: always refused. */
const NARROWING = ['patient'];
const MOST_FILTERS = 50;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** What was asked for, and the names of what was left out of it. */
export interface ReadExport extends Pick<ExportOptions, 'types' | 'since' | 'filters'> {
  readonly ignored: readonly string[];
}

/**
 * Reads the parameters of a kick-off (Bulk Data Access 2.0, query parameters). What is not supported is refused by its name, or left out with
 * `handling=lenient`. `request.invalid`, `auth.scope`. Whether filters are searches is the search's to say.
 */
export function readExport(
  { parameter = [] }: Parameters,
  {
    caller,
    level,
    preferences,
  }: { readonly caller: Caller } & Pick<ExportOptions, 'level'> & {
      readonly preferences: Pick<Preferences, 'lenient' | 'respondAsync'>;
    },
): ReadExport {
  if (!preferences.respondAsync)
    throw fault('header.Prefer', 'Exports are asynchronous: send "Prefer: respond-async".', 'required');
  const ignored: string[] = [];
  const leaveOut: LeaveOut = (name, details, refusal = fault(name, details, 'not-supported')) => {
    if (!preferences.lenient || NARROWING.includes(name)) throw refusal;
    ignored.push(name);
  };
  for (const { name = '' } of parameter)
    if (!SUPPORTED.includes(name)) leaveOut(name, `Is not supported. There are ${SUPPORTED.join(', ')}.`);
  for (const format of valuesOf(parameter, '_outputFormat'))
    if (!NDJSON.includes(format.replace(' ', '+'))) throw fault('_outputFormat', `Must be ${NDJSON.join(' or ')}.`);
  const types = readTypes(listOf(parameter, '_type'), { caller, level }, leaveOut);
  if (types.length === 0)
    throw new SuturaError('auth.scope', {
      detail: 'Nothing of what is asked for may be read with this key or token. A key needs analysis:read as well.',
    });
  return { types, since: readSince(parameter), filters: readFilters(parameter, types, leaveOut), ignored };
}

/** Throws the refusal unless the caller lets it be left out. */
type LeaveOut = (name: string, details: string, refusal?: SuturaError) => void;

function readTypes(
  asked: readonly string[],
  { caller, level }: { readonly caller: Caller } & Pick<ExportOptions, 'level'>,
  leaveOut: LeaveOut,
): ResourceType[] {
  const served = exportedTypes(level) as readonly string[];
  if (asked.length === 0) return served.filter((type) => readsAll(caller, type)) as ResourceType[];
  return [...new Set(asked)].filter((type) => {
    if (!served.includes(type)) {
      const where =
        level === 'patient' && rowOf(type)?.origin === 'store' ? 'belongs to no patient' : 'is not exported';
      leaveOut('_type', `${plain(type)} ${where} here. There are ${served.join(', ')}.`);
      return false;
    }
    if (readsAll(caller, type)) return true;
    leaveOut(
      '_type',
      type,
      new SuturaError('auth.scope', { detail: `${type} may not be read with this key or token.` }),
    );
    return false;
  }) as ResourceType[];
}

function readSince(parameter: readonly ParametersParameter[]): string | null {
  const [text, ...more] = valuesOf(parameter, '_since').map((value) => value.replace(' ', '+'));
  if (text === undefined) return null;
  const since = new Date(text);
  if (more.length > 0 || !INSTANT.test(text) || Number.isNaN(since.getTime()))
    throw fault('_since', 'Must be one instant with its time zone, such as 2026-01-05T08:30:00Z.');
  return since.toISOString();
}

function readFilters(
  parameter: readonly ParametersParameter[],
  types: readonly string[],
  leaveOut: LeaveOut,
): ExportFilter[] {
  const stated = valuesOf(parameter, '_typeFilter').flatMap((value) => value.split(/,(?=[A-Z][A-Za-z]*\?)/));
  if (stated.length > MOST_FILTERS) throw fault('_typeFilter', `There are more than ${MOST_FILTERS}.`);
  return stated.flatMap((text) => {
    const [, type = '', query = ''] = /^([A-Z][A-Za-z]*)\?(.+)$/s.exec(text) ?? [];
    if (type === '') throw fault('_typeFilter', 'Must be a search such as Observation?status=final.');
    if (!types.includes(type)) {
      leaveOut('_typeFilter', `${type} is not among the types that are exported.`);
      return [];
    }
    const own = [...new URLSearchParams(query).keys()].find(isResultParameter);
    if (own === undefined) return [{ type, query }];
    leaveOut('_typeFilter', `Takes criteria alone, not ${own}.`);
    return [];
  });
}

/** A value by any of the types that clients send it as. */
function valuesOf(parameter: readonly ParametersParameter[], wanted: string): string[] {
  return parameter
    .filter(({ name }) => name === wanted)
    .map((value) =>
      String(
        value.valueString ?? value.valueCode ?? value.valueInstant ?? value.valueDateTime ?? value.valueUri ?? '',
      ).trim(),
    );
}

function listOf(parameter: readonly ParametersParameter[], wanted: string): string[] {
  return valuesOf(parameter, wanted).flatMap((value) => value.split(',').map((one) => one.trim()));
}

/** What a caller typed as a type may be anything. */
function plain(type: string): string {
  return /^[A-Z][A-Za-z]{1,60}$/.test(type) ? type : 'What was named';
}

function fault(name: string, details: string, code: 'value' | 'required' | 'not-supported' = 'value'): OutcomeError {
  const expression = `http.${name.replace(/[^\w.:-]/g, '').slice(0, 64)}`;
  return new OutcomeError('request.invalid', [
    { severity: 'error', code, expression, details: `${expression} ${details}` },
  ]);
}
