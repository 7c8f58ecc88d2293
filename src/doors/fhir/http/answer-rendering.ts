import type { OperationOutcome } from '@medplum/fhirtypes';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { validatorsOf } from '../call/preconditions.js';
import type { Preferences } from '../call/preferences.js';
import { informationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { NO_STORE, type AnswerForm } from './answer-form.js';

interface Rendering {
  readonly base: string;
  readonly form: AnswerForm;
  /** The preference of a write; null for anything else, because `Prefer: return` says nothing about it. */
  readonly answerWith: Preferences['return'];
  /** The header that names the version: `location` for a create, matched ones too; else `content-location`. */
  readonly locatedBy: 'location' | 'content-location';
}

/** An interaction's answer as HTTP: validators, where it lies, and the body in the form that was asked for. */
export async function renderAnswer(
  answer: FhirAnswer,
  { base, form, answerWith, locatedBy }: Rendering,
): Promise<HttpAnswer> {
  const { status, body, location } = answer;
  const headers = {
    ...(isStored(body) ? validatorsOf(body.version, body.lastUpdated) : {}),
    ...(location === undefined ? {} : { [locatedBy]: `${base}/${location}` }),
    ...answer.headers,
  };
  const shown = shownOf(answer, answerWith);
  const warned =
    answer.outcome === undefined || shown === answer.outcome
      ? headers
      : { ...headers, ...warningHeader(answer.outcome) };
  if (shown === null) return { status, headers: { ...NO_STORE, ...warned }, body: null };
  return { status, headers: { ...form.headers, ...warned }, body: await form.bytesOf(shown) };
}

function shownOf({ body, outcome, status }: FhirAnswer, answerWith: Preferences['return']): object | null {
  if (answerWith === 'minimal') return null;
  if (answerWith === 'OperationOutcome')
    return outcome ?? informationOutcome(status === 201 ? 'The resource was created.' : 'The request was carried out.');
  return isStored(body) ? body.resource : body;
}

/**
 * Warnings for the sender of a resource that is answered with the resource itself, or without a body: each as a string of a list
 * (RFC 9651). R4 carries them in an OperationOutcome, which replaces the resource where the client prefers it.
 */
function warningHeader({ issue }: OperationOutcome): Record<string, string> {
  const warnings = issue
    .filter(({ severity }) => severity === 'warning')
    .map(({ details }) => `"${(details?.text ?? '').replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`);
  return warnings.length === 0 ? {} : { 'sutura-warning': warnings.join(', ') };
}
