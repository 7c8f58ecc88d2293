import { isNegation } from './negated-words.js';

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
])('is a finding: %j', (words) => expect(isNegation(words)).toBe(false));

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
])('says that there is nothing: %j', (words) => expect(isNegation(words)).toBe(true));
