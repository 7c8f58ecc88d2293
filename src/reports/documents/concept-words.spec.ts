import { speak } from '../wording/wording.js';
import { conceptText, conceptWords, sentWords } from './concept-words.js';

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

  it.each([
    ['en', 'Pressure injury (399912005)'],
    ['de', 'Dekubitus (399912005)'],
    ['fr', 'Escarre (399912005)'],
    ['es', 'Lesión por presión (399912005)'],
  ] as const)('has the name of its type of wound in %s', (language, text) => {
    expect(conceptText(speak(language), { system: SNOMED, code: '399912005' })).toBe(text);
  });

  it('of the skin of a site has the name of the site', () =>
    expect(conceptText(speak('de'), { system: SNOMED, code: '51027004' })).toBe('Kreuzbein (51027004)'));
});

describe('a code with words of its sender', () => {
  const heel = { system: SNOMED, code: '84607009', display: 'Heel structure' };

  it.each([
    ['en', 'Heel structure (84607009)', 'Heel structure'],
    ['de', 'Ferse (Heel structure, 84607009)', 'Ferse'],
    ['fr', 'Talon (Heel structure, 84607009)', 'Talon'],
    ['es', 'Talón (Heel structure, 84607009)', 'Talón'],
  ] as const)('stands in %s by its name, with the words beside it', (language, text, words) => {
    expect([conceptText(speak(language), heel), conceptWords(speak(language), heel)]).toEqual([text, words]);
  });

  it('keeps words that say more than the name, and those of what is not known here', () => {
    const { system, code } = heel;
    expect(conceptText(speak('de'), { system, code, display: 'Linke Ferse, innen' })).toBe(
      'Linke Ferse, innen (84607009)',
    );
    expect(conceptText(speak('de'), { system, code: '999999999', display: 'Ear' })).toBe('Ear (999999999)');
    expect(conceptText(speak('de'), { display: 'Bein' })).toBe('Bein');
    expect(conceptText(speak('de'), null)).toBeNull();
  });

  it('shows both where the words name another site than the code', () =>
    expect(conceptText(speak('en'), { ...heel, display: 'Sacrum' })).toBe('Heel (Sacrum, 84607009)'));

  it.each([
    ['de', 'Left heel', 'Ferse (Left heel)'],
    ['de', 'Right heel', 'Ferse (Right heel)'],
    ['fr', 'L heel', 'Talon (L heel)'],
    ['en', 'Sacrum', 'Heel (Sacrum)'],
    ['es', 'Skin structure of heel', 'Talón'],
    ['de', 'Linke Ferse', 'Linke Ferse'],
  ] as const)(
    'keeps in %s the side and the other site of "%s", where the words stand alone',
    (language, display, words) => expect(conceptWords(speak(language), { ...heel, display })).toBe(words),
  );

  it('goes out by those words to receivers that look them up', () =>
    expect(sentWords(speak('de'), heel)).toBe('Heel structure'));
});
