import { OutcomeError } from '../../../../standards/fhir/outcome/outcome-error.js';
import { error, type ResourceIssue } from '../../../../standards/fhir/validation/resource-issue.js';

/** Parameters are named, values never repeated: they can be a patient's. */
export function placeOf(name: string): string {
  return `http.${name.replace(/[^\w:.-]/g, '').slice(0, 64)}`;
}

/** A search that cannot be answered: `fhir.search` with the parameter at fault. */
export function badParameter(name: string, details: string): OutcomeError {
  return new OutcomeError('fhir.search', [error('invalid', placeOf(name), `${placeOf(name)} ${details}`)]);
}

export function unsupported(name: string, details: string): OutcomeError {
  return new OutcomeError('fhir.search', [error('not-supported', placeOf(name), `${placeOf(name)} ${details}`)]);
}

/** The refusal under `Prefer: handling=strict` of parameters that are ignored otherwise. */
export function refuseIgnored(ignored: readonly Ignored[]): OutcomeError {
  return new OutcomeError(
    'fhir.search',
    ignored.map(({ name, why }): ResourceIssue => error('not-supported', placeOf(name), `${placeOf(name)} ${why}`)),
  );
}

export interface Ignored {
  readonly name: string;
  /** A predicate to the parameter's name. */
  readonly why: string;
}
