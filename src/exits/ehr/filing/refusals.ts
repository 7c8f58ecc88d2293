import type { FhirAnswer } from '../calls/fhir-answer.js';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { HeldError } from '../settings/holds.js';

/** The EHR may take the same request later. */
export class TransientError extends Error {
  constructor(readonly answer: Pick<FhirAnswer, 'status' | 'codes' | 'retryAfterMs'>) {
    super(`HTTP ${answer.status}`);
  }
}

/** Statuses after which the same request is made again: busy, locked by another, or broken. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 423 || status === 425 || status === 429 || status >= 500;
}

/** An answer of success that names nothing: it may have been done, and the next attempt looks for it. */
export function unnamed(answer: FhirAnswer): never {
  // Made, or taken and made later: it is looked for, and not sent again.
  if (isTaken(answer.status)) throw new TransientError(answer);
  throw new NoEhrAnswerError('no_resource', true);
}

/** HTTP: accepted, and not done yet. */
export const TAKEN = 202;
const MADE = 201;

function isTaken(status: number): boolean {
  return status === MADE || status === TAKEN;
}

/** Whether a refusal as it is kept, such as `202 informational`, is of a create that the EHR has made or taken without saying where. */
export function saysTaken(kept: string | undefined): boolean {
  return isTaken(Number(kept?.split(' ', 1)[0]));
}

/** So often in a row, over some two hours, is looked for what an EHR has taken and does later. */
export const MOST_LOOKS = 30;

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What is left of an answer that files nothing: made again, or held. Redirects are not followed, and are refusals. */
export function refuse(answer: FhirAnswer): never {
  if (isTransient(answer.status)) throw new TransientError(answer);
  throw new HeldError('ehr_refused', [String(answer.status), ...answer.codes]);
}
