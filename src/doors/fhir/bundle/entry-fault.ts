import { SuturaError } from '../../../core/errors/sutura-error.js';
import { OutcomeError, type OutcomeIssue } from '../../../standards/fhir/outcome/outcome-error.js';
import { toOperationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { placeOf } from './bundle-entry.js';

/** Service faults are not attributed to an entry. */
const UNPLACED = ['internal', 'unavailable', 'storage_full'];

/** A refusal of one entry's request, pointing into the Bundle. What is no refusal, or not the entry's fault, stays as it is. */
export function atEntry(thrown: unknown, index: number): unknown {
  if (!(thrown instanceof SuturaError) || UNPLACED.includes(thrown.kind) || isPlaced(thrown)) return thrown;
  const issues = toOperationOutcome(thrown, '').issue.map(({ severity, code, details, expression }): OutcomeIssue => ({
    severity: severity as OutcomeIssue['severity'],
    code: code!,
    expression: placeWithin(index, expression?.[0]),
    details: details?.text ?? thrown.detail,
  }));
  return new OutcomeError(thrown.code, issues, { ...thrown.facts, kind: thrown.kind, detail: thrown.detail });
}

/** A refusal of the Bundle's own elements: `element` follows the entry, such as `.request.url`. */
export function entryError(index: number, code: OutcomeIssue['code'], element: string, details: string): OutcomeError {
  return new OutcomeError('fhir.bundle', [
    { severity: 'error', code, expression: `${placeOf(index)}${element}`, details },
  ]);
}

function isPlaced(error: SuturaError): boolean {
  return error instanceof OutcomeError && error.issues.some(({ expression }) => expression.startsWith('Bundle.entry['));
}

/** Expressions start at the type of the resource; those of a header belong to the entry's request. */
function placeWithin(index: number, expression: string | undefined): string {
  if (expression === undefined) return placeOf(index);
  if (expression === 'http.header.If-None-Exist') return `${placeOf(index)}.request.ifNoneExist`;
  if (expression.startsWith('http.')) return `${placeOf(index)}.request.url`;
  const rest = /^[A-Z][A-Za-z]*(.*)$/.exec(expression)?.[1];
  return rest === undefined ? placeOf(index) : `${placeOf(index)}.resource${rest}`;
}
