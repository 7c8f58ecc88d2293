import { LANGUAGES } from '../wording/language.js';
import { woundLabel } from './report-document.js';

const NOTHING = { bodySite: null, laterality: null, woundId: null } as const;

describe('a wound in one line', () => {
  it('has its site, side and number, as far as they are known', () => {
    const heel = { bodySite: { display: 'Heel' }, laterality: 'left', woundId: 'W-1' } as const;
    expect(woundLabel('en', heel)).toBe('Heel, left, Wound W-1');
    expect(woundLabel('de', { ...NOTHING, woundId: 'W-1' })).toBe('Wunde W-1');
    expect(woundLabel('en', { ...heel, woundId: null })).toBe('Heel, left');
  });

  it('says in each language that nothing is known of it', () => {
    for (const language of LANGUAGES) expect(woundLabel(language, NOTHING)).toMatch(/^\S+ \(.+\)$/);
  });
});
