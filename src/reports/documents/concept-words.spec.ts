import { speak } from '../wording/wording.js';
import { conceptText, conceptWords } from './concept-words.js';

const SNOMED = 'http://snomed.info/sct';

describe('a code without words', () => {
  it.each([
    ['en', 'Heel (84607009)', 'Heel'],
    ['de', 'Ferse (84607009)', 'Ferse'],
    ['fr', 'Talon (84607009)', 'Talon'],
    ['es', 'Talón (84607009)', 'Talón'],
  ] as const)('has the name of its site in %s', (language, text, words) => {
    const heel = { system: SNOMED, code: '84607009' };
    expect([conceptText(speak(language), heel), conceptWords(speak(language), heel)]).toEqual([text, words]);
  });

  it.each([
    ['en', 'code 999999999 (SNOMED CT, no name here)'],
    ['de', 'Code 999999999 (SNOMED CT, hier ohne Namen)'],
    ['fr', 'code 999999999 (SNOMED CT, sans nom ici)'],
    ['es', 'código 999999999 (SNOMED CT, sin nombre aquí)'],
  ] as const)('that is not known is called a code in %s', (language, text) => {
    const unknown = { system: SNOMED, code: '999999999' };
    expect([conceptText(speak(language), unknown), conceptWords(speak(language), unknown)]).toEqual([text, text]);
  });

  it('of another system is no site, though its digits are those of one', () => {
    expect(conceptText(speak('en'), { system: 'urn:oid:1.2.3', code: '84607009' })).toBe(
      'code 84607009 (no name here)',
    );
  });

  it.each([
    ['en', 'Venous leg ulcer (I83.0)'],
    ['de', 'Venöses Beinulkus (I83.0)'],
    ['fr', 'Ulcère veineux de jambe (I83.0)'],
    ['es', 'Úlcera venosa de la pierna (I83.0)'],
  ] as const)('has the name of its kind of wound in %s', (language, text) => {
    expect(conceptText(speak(language), { system: 'http://hl7.org/fhir/sid/icd-10', code: 'I83.0' })).toBe(text);
  });

  it('that came with words keeps them', () => {
    expect(conceptText(speak('de'), { system: SNOMED, code: '84607009', display: 'Heel structure' })).toBe(
      'Heel structure (84607009)',
    );
    expect(conceptText(speak('de'), null)).toBeNull();
  });
});
