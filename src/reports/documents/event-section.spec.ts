import type { AreaRelation } from '../../core/followup/related-areas.js';
import { NOTHING_COMPARED } from '../../core/followup/series.js';
import { relationText } from './event-section.js';
import { penOf } from './report-document.js';

const CHANGE = {
  days: 7,
  areaCm2: 0.6,
  areaPct: 7.9,
  areaCm2PerWeek: 0.6,
  marginAdvanceMmPerDay: null,
  minimalDetectableChangePct: 30,
  beyondDetectable: false,
  warnings: [],
};
const PARTS = ['a', 'b'].map((woundRef) => ({ woundRef, reportId: woundRef, areaCm2: 3.8 }));
const relation = (kind: AreaRelation['kind'], more: Partial<AreaRelation> = {}): AreaRelation => ({
  kind,
  at: '2026-03-03T10:15:00.000Z',
  wounds: kind === 'joined' ? ['a', 'b'] : ['a'],
  change: CHANGE,
  sumOf: PARTS,
  areaCm2: 8.2,
  beforeReportId: 'a',
  ...more,
});
const tell = (language: 'en' | 'de' | 'es' | 'fr', told?: AreaRelation): string =>
  relationText(penOf(language, 'UTC'), {
    ...NOTHING_COMPARED,
    ...(told === undefined ? {} : { relation: told }),
  }).replaceAll('\u00a0', ' ');

describe('what a document says of wounds that grew together or fell apart', () => {
  it('is nothing where none did', () => {
    expect(tell('en')).toBe('');
  });

  it.each(['en', 'de', 'es', 'fr'] as const)(
    'names in %s how many they were, what they had, and what it is now',
    (language) => {
      const text = tell(language, relation('joined'));
      expect(text).toMatch(/2026/);
      expect(text).toMatch(/\b2\b/);
      expect(text).toMatch(/7[.,]60? cm²/);
      expect(text).toMatch(/8[.,]20? cm²/);
    },
  );

  it('says that the course begins anew where their sum is not known', () => {
    expect(tell('en', relation('joined', { change: null, areaCm2: null, sumOf: [] }))).toMatch(/begins anew\.$/);
  });

  it('compares the parts together with the wound that they were', () => {
    expect(tell('en', relation('split'))).toMatch(/It had 7\.60? cm²; its 2 parts together have 8\.20? cm²\.$/);
  });
});
