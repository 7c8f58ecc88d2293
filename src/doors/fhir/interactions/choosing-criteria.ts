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

/** `fhir.search` about criteria that choose a resource for a change or a reference. */
export function criteriaRefused(place: string, text: string): OutcomeError {
  return new OutcomeError('fhir.search', [error('invalid', place, text)]);
}
