import { NoEhrAnswerError } from '../../../ehrs/index.js';
import type { FhirAnswer } from '../calls/fhir-answer.js';
import { HeldError } from '../settings/holds.js';

/** What is kept of an answer after which the same is tried again; `status` null: nothing is asked yet, or another answer than HTTP's keeps it. */
export interface PassingAnswer {
  readonly status: number | null;
  readonly codes: readonly string[];
  readonly retryAfterMs: number | null;
}

/** The EHR may take the same request later. */
export class TransientError extends Error {
  constructor(readonly answer: PassingAnswer) {
    super(answer.status === null ? answer.codes.join(' ') : `HTTP ${answer.status}`);
  }
}

/** Statuses after which the same request is made again: busy, locked by another, or broken. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 423 || status === 425 || status === 429 || status >= 500;
}

/** HTTP: accepted, and not done yet. */
export const TAKEN = 202;
export const MADE = 201;

/** Why one resource is not taken back that keeps no other from being: it is held, comes later, or is not answered. */
export type Setback = HeldError | TransientError | NoEhrAnswerError;

/** Not where another process has the delivery. */
export function isSetback(fault: unknown): fault is Setback {
  if (fault instanceof NoEhrAnswerError) return fault.fault !== BROKEN_OFF;
  return fault instanceof HeldError || fault instanceof TransientError;
}

/** What comes later is looked at once more before a person is asked about the rest. null: there is none. */
export function firstOf(setbacks: readonly Setback[]): Setback | null {
  const rank = (one: Setback): number => (one instanceof TransientError ? 0 : one instanceof NoEhrAnswerError ? 1 : 2);
  return setbacks.reduce<Setback | null>(
    (first, one) => (first === null || rank(one) < rank(first) ? one : first),
    null,
  );
}

/** Whether a transaction was not done for the sake of one of its entries, as a refusal or a lock of it says. */
export function isOfAll(setback: Setback): boolean {
  if (setback instanceof TransientError) return setback.answer.status === 409 || setback.answer.status === 423;
  return setback instanceof HeldError;
}

/** Another process has the delivery now. */
export const BROKEN_OFF = 'broken_off';

/** The EHR called it done, and a read does not show it: it may come yet, as what the EHR has taken. */
export function notShown(): TransientError {
  return new TransientError({ status: TAKEN, codes: ['not_shown'], retryAfterMs: null });
}

/** Whether a success that names nothing says that it is made, or is made later. */
export function saysTaken(status: number): boolean {
  return status === MADE || status === TAKEN;
}

export const UNDER_WAY = 'under_way';

/** Nothing was heard of an earlier request, which may be carried out yet: it is looked for again after so long. */
export function underWay(restMs: number): TransientError {
  return new TransientError({ status: null, codes: [UNDER_WAY], retryAfterMs: Math.max(0, restMs) });
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What is left of an answer that files nothing: made again, or held. Redirects are not followed, and are refusals. */
export function refuse(answer: FhirAnswer): never {
  if (isTransient(answer.status)) throw new TransientError(answer);
  throw new HeldError('ehr_refused', [String(answer.status), ...answer.codes]);
}
