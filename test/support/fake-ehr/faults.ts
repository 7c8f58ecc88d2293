import { outcomeOf } from './outcome.js';
import type { Answer } from './wire.js';

/** What happens to a call instead of, or beside, its answer. "after" means that the work was done. */
export type Fault =
  | { readonly kind: 'hang-before' }
  | { readonly kind: 'drop-before' }
  | { readonly kind: 'hang-after' }
  | { readonly kind: 'drop-after' }
  /** The work is not done yet: `hold` is given it, and does it when it likes. Answered with `answer`; null: not at all. */
  | { readonly kind: 'late'; readonly answer: Answer | null; hold(work: () => Promise<Answer>): void }
  /** A create is taken, and answered with 202 and no body. */
  | { readonly kind: 'accepted' }
  /** The status and headers are right, the body is a proxy's page. */
  | { readonly kind: 'garbage' }
  | { readonly kind: 'slow'; readonly bytesEachSecond: number }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** Something changes just before the call is looked at: a token ends, the capabilities shrink. */
  | { readonly kind: 'before'; readonly act: () => void | Promise<void> };

/** The calls that a fault is for. */
export interface FaultPlace {
  readonly method?: string;
  /** A part of the path, such as `/fhir/DocumentReference` or `/oauth2/token`. */
  readonly path?: string;
  /** How many such calls: 1 if not stated. */
  readonly times?: number;
  /** How many such calls are answered well before: 0 if not stated. */
  readonly after?: number;
}

/** An answer of this status with an OperationOutcome, as a busy or broken server gives it. */
export function answerWith(status: number, retryAfterS?: number): Fault {
  const code = status === 429 ? 'throttled' : status === 409 || status === 412 ? 'conflict' : 'transient';
  const headers: Record<string, string> = { 'content-type': 'application/fhir+json' };
  if (retryAfterS !== undefined) headers['retry-after'] = String(retryAfterS);
  return { kind: 'answer', answer: { status, headers, json: outcomeOf([{ code, text: `planned: ${status}` }]) } };
}

/** Faults in the order in which they were planned; each call meets the first that is for it. */
export class PlannedFaults {
  private readonly planned: { fault: Fault; place: FaultPlace; left: number; wait: number }[] = [];

  plan(fault: Fault, place: FaultPlace = {}): void {
    this.planned.push({ fault, place, left: place.times ?? 1, wait: place.after ?? 0 });
  }

  /** Forgets what was planned and has not happened. */
  clear(): void {
    this.planned.length = 0;
  }

  take(method: string, path: string): Fault | undefined {
    const next = this.planned.find(
      ({ place, left }) =>
        left > 0 && (place.method ?? method) === method && (place.path === undefined || path.includes(place.path)),
    );
    if (next === undefined) return undefined;
    if (next.wait > 0) {
      next.wait -= 1;
      return undefined;
    }
    next.left -= 1;
    return next.fault;
  }
}
