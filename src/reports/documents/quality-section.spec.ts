import { findingsWithArea } from '../../../test/support/sample-report.js';
import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { figureFormatOf } from '../wording/figure-format.js';
import { LANGUAGES } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { qualitySection } from './quality-section.js';

const DOUBTFUL = { score: 0.3, expectedDice: { value: 0.41, lower: 0, upper: 0.79 }, outlineReliable: false };

function said(wish: Partial<AssessmentFindings>, language: (typeof LANGUAGES)[number] = 'en'): string {
  const pen = { say: speak(language), figures: figureFormatOf(language, 'UTC') };
  return JSON.stringify(qualitySection(pen, findingsWithArea(9, wish)));
}

describe('the quality of a photo and of its outline', () => {
  it.each<[string, Partial<AssessmentFindings>]>([
    ['the model states no calibration', { familiarity: null }],
    ['the outline is reliable', { familiarity: { ...DOUBTFUL, outlineReliable: true } }],
    ['a person drew the outline', { familiarity: DOUBTFUL, outlineSource: 'reviewer_contour' }],
  ])('has no caution about the outline where %s', (_, wish) => {
    expect(said(wish)).not.toContain('unsure of this outline');
  });

  it.each(LANGUAGES)(
    'asks for a look at a doubtful outline in %s, and still calls the photo good enough',
    (language) => {
      const say = speak(language);
      expect(said({ familiarity: DOUBTFUL }, language)).toContain(say('quality.outline_doubtful'));
      expect(said({ familiarity: DOUBTFUL }, language)).toContain(say('quality.acceptable'));
    },
  );

  it('gives the expected overlap as a figure', () => {
    expect(said({ familiarity: DOUBTFUL })).toContain('0.41');
  });
});
