import type { Concern, ForReview } from '../shared/answers.js';
import type { Tone } from '../shared/words.js';

/** Why it stands where it stands, for a person; nothing that is not known to be well sounds so. */
export const CONCERN_WORDS: Readonly<Record<Concern, string>> = {
  held: 'something contradicts, or the software does not trust the photo',
  worsening: 'worse',
  mixed: 'partly worse',
  reopened: 'open again',
  unknown: 'not known to be well',
  other: 'no worse, as far as was found',
};

const VERDICTS: Readonly<Record<NonNullable<ForReview['verdict']>, readonly [string, Tone]>> = {
  improving: ['✓ better', 'good'],
  unchanged: ['= unchanged', 'plain'],
  worsening: ['! worse', 'bad'],
  mixed: ['! mixed', 'bad'],
  closed: ['= healed, as a person found', 'plain'],
  ended: ['= ended', 'plain'],
  reopened: ['! open again', 'bad'],
  unknown: ['? not known', 'warn'],
};

/** With its sign, so that colour alone says nothing. null: no verdict. */
export function verdictOf(verdict: ForReview['verdict']): readonly [string, Tone] {
  return verdict === null || !Object.hasOwn(VERDICTS, verdict) ? VERDICTS.unknown : VERDICTS[verdict];
}
