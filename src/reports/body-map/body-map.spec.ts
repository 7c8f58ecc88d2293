import type { CodedConcept, Laterality } from '../../core/analysis/analysis-job.js';
import { SIDES } from '../../core/followup/site-words.js';
import { LANGUAGES } from '../../core/report/languages.js';
import { bodySiteOf } from './body-sites.js';
import { DRAWINGS } from './outlines.js';

const SNOMED = 'http://snomed.info/sct';
const said = (display: string, laterality: Laterality | null = null) => bodySiteOf({ display }, laterality);

describe('the place of a wound on a body map', () => {
  it('is understood in every language that reports are written in', () => {
    expect(Object.keys(SIDES).sort()).toEqual([...LANGUAGES].sort());
  });

  it.each([
    ['an unknown word', { display: 'somewhere on the leg' }, 'left'],
    ['words around a known one', { display: 'near the heel' }, 'left'],
    ['nothing', null, 'left'],
    ['an unknown code', { system: SNOMED, code: '39937001' }, 'left'],
    ['a code of another system', { system: 'urn:other', code: '84607009' }, 'left'],
    ['a heel without a side', { display: 'Heel' }, null],
    ['a heel in the middle', { display: 'Heel' }, 'midline'],
    ['both sides', { display: 'left and right heel' }, null],
    ['a side that the words contradict', { display: 'left ankle' }, 'right'],
    ['a code and words that name different places', { system: SNOMED, code: '84607009', display: 'Sacrum' }, 'left'],
  ] as const)('is not guessed from %s', (_, site, laterality) => {
    expect(bodySiteOf(site as CodedConcept | null, laterality)).toBeNull();
  });

  it('is known by code and by words', () => {
    const coded = bodySiteOf({ system: SNOMED, code: '84607009' }, 'left');
    expect(coded).not.toBeNull();
    for (const word of ['Heel', 'Skin structure of heel', 'left heel', 'Ferse', 'linke Ferse', 'talon', 'Talón'])
      expect(said(word, 'left')).toEqual(coded);
  });

  it.each([
    ['great toe', 'Großzehe', 'gros orteil', 'dedo gordo del pie'],
    ['lateral malleolus', 'Außenknöchel', 'malléole externe', 'maléolo externo'],
    ['shin', 'Schienbein', 'peau de l’avant-bras', 'espinilla'],
    ['buttock', 'Gesäß', 'fesse', 'nalga'],
  ])('is known in four languages: %s, %s, %s, %s', (...words) => {
    for (const word of words) expect(said(word, 'right')).not.toBeNull();
  });

  it('needs no side on the middle line', () => {
    const sacrum = said('sacrum');
    expect(sacrum).toEqual([{ view: 'back', x: 50, y: 102 }]);
    expect(said('Kreuzbein', 'midline')).toEqual(sacrum);
    expect(said('coccyx')![0]!.y).toBeGreaterThan(sacrum![0]!.y);
  });

  it('takes the side from the words where nothing else says it', () => {
    expect(said('left ankle')).toEqual(said('ankle', 'left'));
    expect(said('tobillo izquierdo')).toEqual(said('ankle', 'left'));
    expect(said('l’aine')).toBeNull();
  });

  it('has the right side where one who looks finds it, beside its letter', () => {
    for (const word of ['heel', 'great toe', 'knee', 'calf', 'sole']) {
      for (const side of ['left', 'right'] as const)
        for (const { view, x } of said(word, side)!) {
          const { width } = DRAWINGS[view];
          expect([word, side, view, x > width / 2]).toEqual([word, side, view, DRAWINGS[view][side].x > width / 2]);
        }
    }
  });
});
