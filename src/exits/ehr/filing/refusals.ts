import type { FhirAnswer } from '../calls/fhir-answer.js';
import { HeldError } from '../settings/holds.js';

/** The EHR may take the same request later. */
export class TransientError extends Error {
  constructor(readonly answer: FhirAnswer) {
    super(`HTTP ${answer.status}`);
  }
}

/** Statuses after which the same request is made again: busy, locked by another, or broken. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 423 || status === 425 || status === 429 || status >= 500;
}

/** What is left of an answer that files nothing: made again, or held. Redirects are not followed, and are refusals. */
export function refuse(answer: FhirAnswer): never {
  if (isTransient(answer.status)) throw new TransientError(answer);
  throw new HeldError('ehr_refused', [String(answer.status), ...answer.codes]);
}
