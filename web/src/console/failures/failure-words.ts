import type { FailureGroup } from '../shared/answers.js';
import { pathWith } from '../shared/reads.js';

/** What failed, before the name of the connection. */
export const FAILURE_KIND_WORDS: Readonly<Record<FailureGroup['kind'], string>> = {
  message: 'Messages refused, from',
  job: 'Analyses that failed',
  hl7: 'Results parked, for',
  webhook: 'Webhook events parked, for',
  subscription: 'Notifications parked, for',
  ehr: 'Results not filed, in',
};

/** What is done with all of one cause. */
export const AGAIN_WORDS: Readonly<Record<FailureGroup['kind'], string>> = {
  message: 'Each is read by today’s settings. What came later stays as it is, and what is still wrong stays refused.',
  job: 'Each photo is analysed again, at no charge.',
  hl7: 'Each that is still parked is sent again, in its order. What is refused again is parked again.',
  webhook: 'Each that is still parked is sent again, in its order.',
  subscription: 'Each that is still parked is sent again, in its order.',
  ehr: 'Each that is still held is filed again. What still cannot be filed is held again, with its reason.',
};

interface Shown {
  readonly from: string;
  readonly to: string;
}

type Of = Pick<FailureGroup, 'kind' | 'organizationId' | 'environment' | 'subjectId' | 'cause' | 'examples'>;

/** Where all of one cause are listed, or, of analyses, the last of them. */
export function placeOf({ kind, organizationId, environment, subjectId, cause, examples }: Of, shown: Shown): string {
  const of = { organizationId, environment };
  const subject = subjectId ?? undefined;
  if (kind === 'job') return pathWith('/search', { q: examples[0] });
  if (kind === 'message') {
    const isSealed = cause === 'hl7.sealed';
    return pathWith('/messages', {
      direction: 'in',
      ...of,
      listenerId: subject,
      state: isSealed ? 'sealed' : 'failed',
      error: isSealed || cause === 'refused' ? undefined : cause,
      ...shown,
    });
  }
  if (kind === 'hl7')
    return pathWith('/messages', { direction: 'out', ...of, destinationId: subject, state: 'parked', ...shown });
  return pathWith('/deliveries', { ...of, endpointId: subject, state: 'parked' });
}

/** "12 are being done again. 2 are left as they are: 2 × hl7.erased." */
export function doneInWords(retried: number, skipped: readonly { readonly code: string }[]): string {
  const codes = new Map<string, number>();
  for (const { code } of skipped) codes.set(code, (codes.get(code) ?? 0) + 1);
  const left = [...codes].map(([code, count]) => `${count} × ${code}`).join(', ');
  const done = retried === 1 ? '1 is being done again.' : `${retried} are being done again.`;
  return skipped.length === 0
    ? done
    : `${done} ${skipped.length === 1 ? '1 is left as it is' : `${skipped.length} are left as they are`}: ${left}.`;
}

/** Ranges of time that are offered, in hours. */
export const RANGES: readonly (readonly [hours: number, words: string])[] = [
  [1, 'the last hour'],
  [24, 'the last 24 hours'],
  [7 * 24, 'the last 7 days'],
  [30 * 24, 'the last 30 days'],
];
