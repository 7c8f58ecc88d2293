import { isNegation, isNotAssessed } from './negated-words.js';
import { signStatusOfWords } from './sign-words.js';

it.each([
  ['no', 'absent'],
  ['no?', 'unknown'],
  ['none ↑', undefined],
  ['yes?', 'present'],
] as const)('%j of one sign is %s', (words, answer) => expect(signStatusOfWords(words)).toBe(answer));

it.each([
  'no fever, but pus',
  'no, spreading redness',
  'keine Rötung, aber Eiter',
  'none of the usual, smells',
  'warm',
  'purulent',
  'ninguno salvo mal olor',
  'pas de fièvre, écoulement',
  'not healing',
  'N2',
  '+',
  '(+)',
  '+++',
  '☑',
  '✗',
  '±',
  '+/-',
  '↑',
  '✅',
  '●',
  'none ↑',
  '🔥',
  '>',
  'warm?',
  '%',
])('is a finding: %j', (words) => expect([isNegation(words), isNotAssessed(words)]).toEqual([false, false]));

it.each(['☐', '☐ none', 'none?', 'no?', '¿ninguno?', 'keine ?', '?', '??', 'not assessed', 'n/a', 'k.A.'])(
  'says that nobody knows: %j',
  (words) => expect([isNegation(words), isNotAssessed(words)]).toEqual([false, true]),
);

it.each([
  'none',
  'None.',
  'NO',
  'n',
  '',
  '  - ',
  'no signs of infection',
  'No signs of infection!',
  'keine',
  'Nein',
  'keine Infektionszeichen',
  'o.B.',
  'reizlos',
  'ninguno',
  'sin signos de infección',
  'Aucun',
  'pas de signe d’infection',
  'absent',
  '–',
  '-.-',
  '"none"',
  '(keine)',
  '* none',
  '• none',
  '∅',
])('says that there is nothing: %j', (words) => expect(isNegation(words)).toBe(true));
