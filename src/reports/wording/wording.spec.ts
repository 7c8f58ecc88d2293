import { TISSUES } from '../../core/tissue/tissues.js';
import { en } from './en.js';
import { LANGUAGES, type Language } from './language.js';
import { speak, WORDINGS, type WordingKey } from './wording.js';

const KEYS = Object.keys(en) as WordingKey[];
const OTHERS = LANGUAGES.filter((language) => language !== 'en');
/** Words that are the same in another language, and texts without any word. */
const SAME: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  es: ['site.abdomen', 'wounds.no', 'tissue.necrosis', 'tissue.legend.necrosis', 'push.total'],
  de: [
    'site.hand',
    'subject.patient',
    'bodyMap.right',
    'bodyMap.left',
    'about.version',
    'about.status',
    'page.footer',
    'treatment.amputation',
  ],
  fr: [
    'site.abdomen',
    'site.sacrum',
    'site.coccyx',
    'section.photos',
    'section.signature',
    'evidence.eventDate',
    'evidence.eventNote',
    'treatment.compression',
    'treatment.amputation',
    'subject.patient',
    'about.version',
    'about.image',
    'push.total',
    'exudateType.purulent',
    'periwound.induration',
    'periwound.fragile',
    'event.compression',
    'event.amputation',
  ],
};
const WORDLESS = /^(?:[^\p{L}]|\{\w+\}|cm²?)*$/u;

const placeholders = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

describe.each(LANGUAGES)('the wording in %s', (language) => {
  it('has every text and none that is empty', () => {
    expect(Object.keys(WORDINGS[language]).sort()).toEqual([...KEYS].sort());
    expect(KEYS.filter((key) => WORDINGS[language][key].trim() === '')).toEqual([]);
  });

  it('has the same gaps to fill as the English', () => {
    expect(KEYS.filter((key) => placeholders(WORDINGS[language][key]).join() !== placeholders(en[key]).join())).toEqual(
      [],
    );
  });

  it('never lets a line begin with a per cent sign', () => {
    expect(KEYS.filter((key) => /\d %/.test(WORDINGS[language][key]))).toEqual([]);
  });

  it('has a letter of its own for each tissue', () => {
    const letters = TISSUES.map((tissue) => WORDINGS[language][`tissue.legend.${tissue}`].split(' ', 1)[0]);
    expect(letters.filter((letter) => !/^\p{Lu}$/u.test(letter!))).toEqual([]);
    expect(new Set(letters).size).toBe(TISSUES.length);
  });

  it('speaks of no healing and no diagnosis of this patient', () => {
    expect(WORDINGS[language]['finding.noWound']).not.toMatch(/\d/);
    expect(WORDINGS[language]['notice.decisionSupport']).toMatch(/diagn[oó]s/i);
  });
});

describe.each(OTHERS)('the wording in %s', (language) => {
  it('is translated', () => {
    const untranslated = KEYS.filter((key) => WORDINGS[language][key] === en[key] && !WORDLESS.test(en[key]));
    expect(untranslated.filter((key) => !SAME[language].includes(key))).toEqual([]);
  });

  it('keeps the figures and names of every source', () => {
    const figures = (text: string) => (text.match(/\d+/g) ?? []).sort();
    for (const key of KEYS.filter((one) => /^(?:evidence|flag|limit|quality|push)\./.test(one))) {
      expect([key, figures(WORDINGS[language][key])]).toEqual([key, figures(en[key])]);
    }
  });
});

describe('filling in', () => {
  it('puts a value in as it is, whatever signs it has', () => {
    expect(speak('en')('flag.source', { source: '$& {days} $1' })).toBe('Source: $& {days} $1');
  });
});

describe('speak', () => {
  it('lets no text out whose figure is missing', () => {
    expect(() => speak('en')('unit.cm2')).toThrow('unit.cm2 needs a value for value');
    expect(speak('en')('unit.cm2', { value: '4.20' })).toBe('4.20\u00a0cm²');
  });
});
