import type { Verdict } from '../../../src/core/followup/course.js';
import type { Words } from './words/en.js';

export type Tone = 'better' | 'worse' | 'neither' | 'unknown';

/** Beside the words, for those who do not see the colours. */
export const TONE_SIGN: Readonly<Record<Tone, string>> = { better: '✓', worse: '!', neither: '=', unknown: '?' };

/** Nothing that is not known to be better looks so; a wound that was closed is neither. */
const TONE: Readonly<Record<Verdict, Tone>> = {
  improving: 'better',
  unchanged: 'neither',
  worsening: 'worse',
  mixed: 'worse',
  closed: 'neither',
  ended: 'neither',
  reopened: 'worse',
  unknown: 'unknown',
};

/** One that this page does not know counts as unknown. */
export function toneOf(verdict: Verdict | null): Tone {
  return verdict !== null && Object.hasOwn(TONE, verdict) ? TONE[verdict] : 'unknown';
}

/** In a word or two; one that is not known here as the service names it. */
export function verdictWord(verdict: Verdict | null, words: Words): string {
  if (verdict === null) return words.verdictUnknown;
  const known: Readonly<Record<Verdict, string>> = {
    improving: words.verdictImproving,
    unchanged: words.verdictUnchanged,
    worsening: words.verdictWorsening,
    mixed: words.verdictMixed,
    closed: words.verdictClosed,
    ended: words.verdictEnded,
    reopened: words.verdictReopened,
    unknown: words.verdictUnknown,
  };
  return Object.hasOwn(known, verdict) ? known[verdict] : verdict;
}
