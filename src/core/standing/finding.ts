import type { Environment } from '../tenancy/tenant.js';
import type { StandingFault, StandingPart, StandingState } from './standing-parts.js';

/** What a finding is about, and where it is mended. */
export interface FindingSubject {
  readonly kind: 'listener' | 'hl7' | 'webhook' | 'subscription' | 'ehr' | 'process';
  readonly id: string;
}

/** What was found of one part. Codes, names of connections and counts: nothing of a patient. */
export interface Finding {
  readonly part: StandingPart;
  readonly state: StandingState;
  /** null: nothing is wrong, or nothing proves that it works. */
  readonly fault: StandingFault | null;
  readonly words: string;
  /** null: not recorded. */
  readonly since: Date | null;
  /** null: of the whole installation. */
  readonly organizationId: string | null;
  readonly environment: Environment | null;
  readonly subject: FindingSubject | null;
  /** How many wait for it to be mended; null: it is not counted. */
  readonly waiting: number | null;
  readonly oldestWaitingAt: Date | null;
  /** When it was last seen to work; null: never, or that is not recorded. */
  readonly provenAt: Date | null;
  /** null: there is nothing to do. */
  readonly nextStep: string | null;
}

type Stated = Pick<Finding, 'part' | 'state' | 'words'> & Partial<Finding>;

/** A finding with null for everything that is not stated. */
export function finding(stated: Stated): Finding {
  return {
    fault: null,
    since: null,
    organizationId: null,
    environment: null,
    subject: null,
    waiting: null,
    oldestWaitingAt: null,
    provenAt: null,
    nextStep: null,
    ...stated,
  };
}

/** A part that gave no answer in time. */
export function notKnown(part: Finding['part'], what: string): Finding {
  return finding({
    part,
    state: 'unknown',
    fault: 'not_read',
    words: `${what}: not known, as it could not be read in time`,
    nextStep: 'It is read again in a few seconds. If this stays, look at the database and its load.',
  });
}

/** The worst of them. None: nothing was looked at. */
export function worstOf(findings: readonly Pick<Finding, 'state'>[]): StandingState {
  const order: readonly StandingState[] = ['broken', 'waiting', 'unknown', 'well'];
  return order.find((state) => findings.some((one) => one.state === state)) ?? 'unknown';
}

/** "1 message", "7 messages", from a bound on "10,000 or more messages". */
export function counted(count: number, one: string, many: string, bound = Infinity): string {
  if (count === 1) return `1 ${one}`;
  return count >= bound ? `${bound} or more ${many}` : `${count} ${many}`;
}

/** The earliest moment; null: there is none. */
export function earliest(moments: readonly (Date | null)[]): Date | null {
  const known = moments.filter((one) => one !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map((one) => one.getTime())));
}
