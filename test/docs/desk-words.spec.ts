import { LANGUAGES, type Language } from '../../src/core/report/languages.js';
import { de as reportDe } from '../../src/reports/wording/de.js';
import { en as reportEn } from '../../src/reports/wording/en.js';
import { es as reportEs } from '../../src/reports/wording/es.js';
import { fr as reportFr } from '../../src/reports/wording/fr.js';
import { de } from '../../web/src/review/words/de.js';
import { en } from '../../web/src/review/words/en.js';
import { es } from '../../web/src/review/words/es.js';
import { fr } from '../../web/src/review/words/fr.js';

const DESK: Readonly<Record<Language, Readonly<Record<string, string>>>> = { de, en, es, fr };
const REPORT: Readonly<Record<Language, Readonly<Record<string, unknown>>>> = {
  de: reportDe,
  en: reportEn,
  es: reportEs,
  fr: reportFr,
};
/** Words of the desk that are those of the report. */
const SAME = {
  area: 'measure.area',
  length: 'measure.length',
  width: 'measure.width',
  perimeter: 'measure.perimeter',
  granulation: 'tissue.granulation',
  slough: 'tissue.slough',
  necrosis: 'tissue.necrosis',
  points: 'section.flags',
} as const;

describe.each(LANGUAGES)('the words of the desk in %s', (language) => {
  const words = DESK[language];

  it('are all there, with the places of the English ones', () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
    for (const [name, text] of Object.entries(en)) {
      expect([name, words[name]?.trim()]).not.toEqual([name, '']);
      expect([name, placesOf(words[name]!)]).toEqual([name, placesOf(text)]);
    }
  });

  it('call figures and tissues as the report does', () => {
    for (const [name, place] of Object.entries(SAME))
      expect([name, words[name]!.toLowerCase()]).toEqual([
        name,
        String(REPORT[language][place]).toLowerCase().split(' (')[0],
      ]);
  });
});
