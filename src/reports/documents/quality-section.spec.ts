import { findingsWithArea, reportsOf } from '../../../test/support/sample-report.js';
import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { AgeGroup } from '../../core/patients/patient-age.js';
import { NOTHING_COMPARED } from '../../core/followup/series.js';
import type { ReviewStamp } from '../../core/report/clinical-report.js';
import { figureFormatOf } from '../wording/figure-format.js';
import { LANGUAGES } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { courseFlagSection } from './flag-section.js';
import { cautionTexts, childTexts, qualitySection } from './quality-section.js';

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

  it.each(LANGUAGES)(
    'calls no photo good enough in which no open wound was outlined, such as of a dressing, in %s',
    (language) => {
      const say = speak(language);
      const text = said({ woundDetected: false, figures: null, outlines: [] }, language);
      expect(text).not.toContain(say('quality.acceptable'));
      expect(text).toContain(say('quality.acceptableNoWound'));
    },
  );

  it.each(LANGUAGES)(
    'says that shares of tissue change with the colour of the light and were learnt on feet, in %s',
    (language) => {
      expect(said({}, language)).toContain(speak(language)('limit.tissue'));
      expect(said({ tissue: null }, language)).not.toContain(speak(language)('limit.tissue'));
    },
  );

  it.each(LANGUAGES)('says that a tumour may look like granulation tissue, in %s', (language) => {
    expect(said({}, language)).toContain(speak(language)('limit.tumour'));
  });

  it.each(LANGUAGES)(
    'says in %s of a scale without a card that a photo taken at an angle measures too small',
    (language) => {
      const say = speak(language);
      const { scale } = findingsWithArea(9);
      for (const source of ['client', 'reviewer'] as const)
        expect(said({ scale: { ...scale, source } }, language)).toContain(say('limit.statedScale'));
      expect(said({ scale: { ...scale, source: 'marker' } }, language)).not.toContain(say('limit.statedScale'));
    },
  );

  it('gives the expected overlap as a figure', () => {
    expect(said({ familiarity: DOUBTFUL })).toContain('0.41');
  });
});

describe('what is cautioned against on the first page', () => {
  const cautions = (wish: Partial<AssessmentFindings>, review: ReviewStamp | null = null) =>
    cautionTexts(
      { say: speak('en'), figures: figureFormatOf('en', 'UTC') },
      { findings: findingsWithArea(9, wish), review },
    );
  const { quality } = findingsWithArea(9);
  const accepted: ReviewStamp = {
    decision: 'accept',
    reviewer: { id: '31', name: 'Example Reviewer' },
    note: null,
    reviewedAt: '2026-01-05T08:30:00.000Z',
  };

  it('is nothing of a good photo whose outline the model is sure of, or a person has accepted', () => {
    expect(cautions({})).toEqual([]);
    expect(cautions({ familiarity: DOUBTFUL }, accepted)).toEqual([]);
  });

  it('is, in each language, that the models were not tested on children, until a person has looked', () => {
    for (const language of LANGUAGES) {
      const pen = { say: speak(language), figures: figureFormatOf(language, 'UTC') };
      const texts = (ageGroup: AgeGroup | undefined, review: ReviewStamp | null = null) =>
        childTexts(pen, { comparison: { ...NOTHING_COMPARED, ...(ageGroup && { ageGroup }) }, review });
      expect(texts('under_10')).toEqual([pen.say('caution.child')]);
      expect(texts('newborn')).toEqual([pen.say('caution.newborn')]);
      expect([texts(undefined), texts('newborn', accepted)]).toEqual([[], []]);
    }
  });

  it('is said of a course where any of its photos is of a child that nobody has looked at, once', () => {
    const pen = { say: speak('en'), figures: figureFormatOf('en', 'UTC') };
    const reports = reportsOf({ weeks: [9, 8, 7], observed: [] }).map((report, at) => ({
      ...report,
      content: {
        ...report.content,
        comparison: { ...report.content.comparison, ...(at < 2 && { ageGroup: 'infant' as const }) },
      },
    }));
    const texts = JSON.stringify(courseFlagSection(pen, reports));
    expect(texts.split(JSON.stringify(pen.say('caution.child')))).toHaveLength(2);
  });

  it('is a poor photo, and a doubtful outline that nobody has looked at', () => {
    expect(cautions({ familiarity: DOUBTFUL, quality: { ...quality, acceptable: false } })).toEqual([
      speak('en')('quality.poor'),
      speak('en')('quality.outline_doubtful'),
    ]);
  });
});
