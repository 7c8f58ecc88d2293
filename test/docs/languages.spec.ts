import { LANGUAGES } from '../../src/core/report/languages.js';
import { textOf } from './pages.js';

/** Where a language is written out by hand; everything else is keyed by `Language`, or derived from `LANGUAGES`. */
const BY_CODE = {
  'sdk/javascript/src/follow-up-options.ts': /^export type Language = (.+);$/m,
  'sdk/python/src/sutura_sdk/reports.py': /^Language = Literal\[(.+)\]$/m,
  'sdk/javascript/README.md': /`language` \((.+?)\), `paper`/,
  'docs/review.md': /^\| `language` \| (.+?);/m,
} as const;
/** The attribute of the element is described in prose, without marks. */
const ELEMENT = /in the page's language \(`lang`\): ([a-z, ]+) \|/;
const BY_NAME = {
  'docs/clinical-report.md': /^## Languages\n\n(.+?), from/m,
  'docs/follow-up.md': /plain text \(`Accept`\), in (.+?) \(`\?lang=`/,
} as const;
const ENGLISH = new Intl.DisplayNames(['en'], { type: 'language' });

function listIn(path: string, place: RegExp): string {
  const list = place.exec(textOf(path))?.[1];
  if (list === undefined) throw new Error(`${path} has no list of languages at ${place}`);
  return list;
}

describe('the languages of reports', () => {
  it.each(Object.entries(BY_CODE))('stand in %s, and no other', (path, place) => {
    const codes = [...listIn(path, place).matchAll(/['"`]([a-z]{2})['"`]/g)].map(([, code]) => code!);
    expect(codes.sort()).toEqual([...LANGUAGES].sort());
  });

  it('stand beside the element of the JavaScript library, and no other', () => {
    expect(listIn('sdk/javascript/README.md', ELEMENT).split(', ').sort()).toEqual([...LANGUAGES].sort());
  });

  it.each(Object.entries(BY_NAME))('stand in %s by their names, and no other', (path, place) => {
    const names = LANGUAGES.map((language) => ENGLISH.of(language)!);
    expect(
      listIn(path, place)
        .split(/, | and | or /)
        .sort(),
    ).toEqual(names.sort());
  });
});
