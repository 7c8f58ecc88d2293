import type { Identifier, Resource } from '@medplum/fhirtypes';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { splitUnescaped } from '../search/query/value-reader.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';

const NAMES_IDENTIFIER = /(?:^|[.:])identifier(?::[a-z]+)?$/;
const MODIFIED = /:(?:not|missing|text)$/;

/**
 * `fhir.search` at `place` where criteria that choose one resource name an identifier without its value: `system|` is any identifier of the
 * system (R4 search.html 3.1.1.4.9), and would choose a record that the sender never named. Plain searches may ask so.
 */
export function requireIdentifierValues(criteria: string, place: string): void {
  for (const [name, written] of new URLSearchParams(criteria)) {
    if (!NAMES_IDENTIFIER.test(name)) continue;
    if (MODIFIED.test(name))
      throw criteriaRefused(place, 'Name the identifier itself, as system|value, without a modifier.');
    if (splitUnescaped(written, ',').some((each) => (splitUnescaped(each, '|').at(-1) ?? '').trim() === ''))
      throw criteriaRefused(
        place,
        'The identifier lacks its value. Write system|value, or |value for an identifier without a system.',
      );
  }
}

/**
 * The criteria of a conditional create, which clients send in three forms: the query alone (R4 http.html 3.1.0.8.1), behind `Type?`, or as a whole
 * address of this server, as HAPI's client does. `fhir.search` at `place` where they name another type or another server.
 */
export function criteriaIn(written: string, type: string, base: string, place: string): string {
  const mark = written.indexOf('?');
  const named = mark === -1 ? '' : written.slice(0, mark);
  // A `?` within a value stands behind the name of its parameter.
  if (mark === -1 || named.includes('=')) return written;
  const criteria = written.slice(mark + 1);
  const root = base.replace(/\/R4$/, '');
  if (['', type, `${root}/${type}`, `${root}/R4/${type}`].includes(named)) return criteria;
  throw criteriaRefused(
    place,
    /^[A-Za-z]+$/.test(named)
      ? `The criteria are about ${named}, and the resource is a ${type}.`
      : `The criteria name an address that is not ${root}/${type}. Send the part behind the "?" alone.`,
  );
}

/** Whether a resource carries the identifier of criteria that are nothing but one `identifier=system|value`: the usual form, told without a search. */
export function hasIdentifierOf(criteria: string, resource: Resource): boolean {
  const parameters = [...new URLSearchParams(criteria)];
  const [name, written] = parameters[0] ?? [];
  if (parameters.length !== 1 || name !== 'identifier' || written === undefined || /[\\,]/.test(written)) return false;
  const [system, value, ...more] = written.split('|');
  if (value === undefined || more.length > 0) return false;
  const { identifier } = resource as { readonly identifier?: Identifier | readonly Identifier[] };
  return [identifier ?? []].flat().some((one) => (one.system ?? '') === system && one.value === value);
}

/** `fhir.search` about criteria that choose a resource for a change or a reference. */
export function criteriaRefused(place: string, text: string): OutcomeError {
  return new OutcomeError('fhir.search', [error('invalid', place, text)]);
}
