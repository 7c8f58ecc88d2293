import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { CodedConcept } from '../analysis/analysis-job.js';
import type { AssessmentFindings } from './assessment.js';
import { flagsOf, type FollowUpFlag } from './flags.js';
import { compareSeries, type AssessmentInSeries } from './series.js';

const DAY_MS = 86_400_000;
const DIABETIC_FOOT: CodedConcept = { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.621' };
const VENOUS: CodedConcept = { system: 'http://snomed.info/sct', code: '371032004' };

function flagsAfter(
  days: number,
  before: AssessmentFindings,
  now: AssessmentFindings,
  woundType: CodedConcept | null,
): FollowUpFlag[] {
  const at = (id: string, day: number, findings: AssessmentFindings): AssessmentInSeries => ({
    reportId: id,
    jobId: id,
    imageId: id,
    capturedAt: new Date(day * DAY_MS),
    findings,
  });
  const comparison = compareSeries([at('a', 0, before), at('b', days, now)]).get('b')!;
  return flagsOf(comparison, now, before, woundType);
}

const area = (cm2: number) => drawFindings(squareOf(cm2));

function withNecrosis(share: number, confirmed: boolean): AssessmentFindings {
  const tissue = {
    granulation: 1 - share,
    slough: 0,
    necrosis: share,
    other: 0,
    method: { granulation: 'clinician', slough: 'clinician', necrosis: 'clinician', other: 'clinician' },
  } as const;
  return { ...area(9), tissue, confirmedTissues: confirmed ? ['necrosis'] : [] };
}

describe('flagsOf', () => {
  it('raises no reduction flag for a wound that the evidence is not about', () => {
    expect(flagsAfter(28, area(9), area(8), VENOUS)).toEqual([]);
  });

  it('raises none where the ulcer shrank enough, and none outside the weeks that the studies looked at', () => {
    expect(flagsAfter(28, area(9), area(4.4), DIABETIC_FOOT)).toEqual([]);
    expect(flagsAfter(24, area(9), area(8.5), DIABETIC_FOOT)).toEqual([]);
    expect(flagsAfter(56, area(9), area(0.8), DIABETIC_FOOT)).toEqual([]);
  });

  it('raises no growth flag within the detectable change, and none between photos that are not comparable', () => {
    expect(flagsAfter(7, area(9), area(9.5), null)).toEqual([]);
    expect(flagsAfter(7, area(4), drawFindings({ ...squareOf(9), model: '2.0.0' }), null)).toEqual([]);
  });

  it('raises no necrosis flag on shares that no clinician confirmed', () => {
    expect(flagsAfter(7, withNecrosis(0.1, false), withNecrosis(0.4, false), null)).toEqual([]);
    expect(flagsAfter(7, withNecrosis(0.1, true), withNecrosis(0.4, false), null)).toEqual([]);
    expect(flagsAfter(7, withNecrosis(0.1, true), withNecrosis(0.13, true), null)).toEqual([]);
  });

  it('flags a diabetic foot ulcer that shrank by less than half in four weeks, with its evidence', () => {
    expect(flagsAfter(28, area(9), area(8), DIABETIC_FOOT)).toEqual([
      {
        code: 'area_reduction_below_50_at_4_weeks',
        value: -11.1,
        days: 28,
        evidence: ['sheehan-2003', 'coerper-2009'],
        evidenceFor: 'diabetic_foot_ulcer',
        woundTypeKnown: true,
      },
    ]);
  });

  it('says for which wounds the evidence is where nobody named the kind of wound, or named it too loosely', () => {
    const neuropathic = { system: 'http://snomed.info/sct', code: '403601003' };
    for (const type of [null, { display: 'sore' }, neuropathic, { system: 'urn:ward', code: '7' }]) {
      expect(flagsAfter(56, area(9), area(2), type)).toMatchObject([
        {
          code: 'area_reduction_below_90_at_8_weeks',
          evidence: ['warriner-2011'],
          evidenceFor: 'diabetic_foot_ulcer',
          woundTypeKnown: false,
        },
      ]);
    }
  });

  it('flags growth beyond the detectable change for any wound', () => {
    expect(flagsAfter(7, area(4), area(6), VENOUS)).toMatchObject([
      { code: 'area_growth', value: 50, days: 7, evidence: [], evidenceFor: null },
    ]);
  });

  it('flags necrosis that rises between two confirmed shares, in percentage points', () => {
    expect(flagsAfter(7, withNecrosis(0.1, true), withNecrosis(0.25, true), VENOUS)).toMatchObject([
      { code: 'necrosis_rising', value: 15, days: 7 },
    ]);
  });
});
