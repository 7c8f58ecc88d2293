import type { AllStatements, StatementName } from './statements.js';
import type { Choices } from './stated-parts.js';
import type { DeskFormFacts } from './types.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

/** One row of the form on one line, with its units. */
export function saidOf(
  name: StatementName,
  from: AllStatements,
  { words: terms }: DeskFormFacts,
  words: Words,
): string {
  const word = (choices: Choices, value: string) => choices.find((one) => one.value === value)?.word ?? value;
  const list = (texts: readonly string[]) => (texts.length === 0 ? words.notStated : texts.join('; '));
  const hour = (value: string) => fill(words.oClock, { hour: value });
  switch (name) {
    case 'depth':
      return from.depth === '' ? words.notStated : `${from.depth} cm`;
    case 'pain':
      return from.pain === '' ? words.notStated : `${from.pain}/10`;
    case 'undermining':
      return list(
        from.undermining.map(
          ({ from: begin, to, depth }) => `${to === '' ? hour(begin) : `${begin}–${hour(to)}`}, ${depth} cm`,
        ),
      );
    case 'tunnelling':
      return list(from.tunnelling.map(({ at, depth }) => `${hour(at)}, ${depth} cm`));
    case 'signs':
      return list(
        from.signs.map(
          ({ sign, status }) =>
            `${word(terms.signs, sign)}: ${status === 'present' ? words.signPresent : words.signAbsent}`,
        ),
      );
    case 'ownWords':
      return from.ownWords === '' ? words.notStated : `“${from.ownWords.replaceAll('\n', '; ')}”`;
    case 'edges':
    case 'periwound':
      return list(from[name].map((value) => word(terms[name], value)));
    case 'stage':
      return from.stage === '' ? words.notStated : word(terms.stages, from.stage);
    case 'exudate':
    case 'exudateType':
    case 'odour':
      return from[name] === '' ? words.notStated : word(terms[name], from[name]);
  }
}
