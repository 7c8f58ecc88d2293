import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { CodedConcept } from '../analysis/analysis-job.js';
import type { AssessmentFindings } from './assessment.js';
import { dayOf, DIABETIC_FOOT, photoOn } from '../../../test/support/series-photos.js';
import { flagSeries, type FollowUpFlag } from './flags.js';
import type { AssessmentInSeries } from './series-order.js';
import { compareSeries } from './series.js';
import type { Closure } from './wound-closure.js';

const VENOUS: CodedConcept = { system: 'http://snomed.info/sct', code: '371032004' };
const PRESSURE: CodedConcept = { system: 'http://snomed.info/sct', code: '399912005', display: 'Pressure ulcer' };

/** The flags of every assessment, by day. */
function flagsOfAll(all: readonly AssessmentInSeries[], closures: readonly Closure[] = []): FollowUpFlag[][] {
  const flags = flagSeries(all, compareSeries(all, closures));
  return all.map(({ reportId }) => flags.get(reportId)!);
}

function flagsAfter(
  days: number,
  before: AssessmentFindings,
  now: AssessmentFindings,
  woundType: CodedConcept | null,
): FollowUpFlag[] {
  const all = [photoOn(0, 1, { findings: before, woundType }), photoOn(days, 1, { findings: now, woundType })];
  return flagsOfAll(all)[1]!.filter(({ code }) => !code.startsWith('stalled'));
}

/** The codes of the flags at each visit of a history: days and areas in cm². */
function history(visits: readonly (readonly [day: number, areaCm2: number])[], woundType = DIABETIC_FOOT): string[][] {
  return flagsOfAll(visits.map(([day, cm2]) => photoOn(day, cm2, { woundType }))).map((flags) =>
    flags.map(({ code }) => code),
  );
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

describe('flagSeries', () => {
  it.each([
    ['a pressure ulcer', PRESSURE],
    ['a code of a ward', { system: 'urn:ward', code: '7' }],
    ['words that name no kind', { display: 'sore' }],
    ['a mixed ulcer', { display: 'mixed arterial and venous ulcer' }],
    ['a negated one', { display: 'no venous ulcer' }],
    ['nothing stated', null],
  ])('raises no milestone for a wound that the evidence is not about: %s', (_, woundType) => {
    expect(flagsAfter(28, area(9), area(8), woundType)).toEqual([]);
  });

  it('holds no milestone of adults against a child', () => {
    const codesOf = (birthDate: string | null) => {
      const all = [9, 8].map((cm2, at) => ({ ...photoOn(at * 28, cm2, { woundType: DIABETIC_FOOT }), birthDate }));
      return flagsOfAll(all)[1]!.map(({ code }) => code);
    };
    expect(codesOf(null)).toContain('area_reduction_below_50_at_4_weeks');
    expect(codesOf('2015-01-01')).not.toContain('area_reduction_below_50_at_4_weeks');
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
        interval: { lower: -23.4, upper: 3.2 },
        days: 28,
        comparedWith: 'baseline',
        comparedWithReportId: 'r000000',
        words: [],
        evidence: ['sheehan-2003', 'coerper-2009'],
        evidenceFor: 'diabetic_foot_ulcer',
        woundTypeKnown: true,
      },
    ]);
  });

  it('says for which wounds the evidence is where the kind of wound was named too loosely', () => {
    const neuropathic = { system: 'http://snomed.info/sct', code: '403601003' };
    expect(flagsAfter(28, area(9), area(6), neuropathic)).toMatchObject([
      {
        code: 'area_reduction_below_50_at_4_weeks',
        evidence: ['sheehan-2003', 'coerper-2009'],
        evidenceFor: 'diabetic_foot_ulcer',
        woundTypeKnown: false,
      },
    ]);
  });

  it('flags a venous leg ulcer that shrank by less than 40 % in four weeks, with evidence of its own', () => {
    expect(flagsAfter(28, area(9), area(5.2), VENOUS)).toEqual([]);
    expect(flagsAfter(24, area(9), area(8), VENOUS)).toEqual([]);
    expect(flagsAfter(28, area(9), area(6), VENOUS)).toMatchObject([
      {
        code: 'area_reduction_below_40_at_4_weeks',
        value: -33.3,
        comparedWith: 'baseline',
        evidence: ['phillips-2000', 'kantor-2000', 'cardinal-2008'],
        evidenceFor: 'venous_leg_ulcer',
        woundTypeKnown: true,
      },
    ]);
  });

  it('goes on telling it at a photo whose sender states no kind, as of a wound that was joined', () => {
    const all = [photoOn(0, 9, { woundType: VENOUS }), photoOn(28, 8), photoOn(35, 8, { woundType: PRESSURE })];
    const told = flagsOfAll(all).map((flags) => flags.some(({ evidenceFor }) => evidenceFor === 'venous_leg_ulcer'));
    expect(told).toEqual([false, true, false]);
  });

  it('tells a missed milestone of a venous ulcer until it is reached, and none of eight weeks', () => {
    const areas = [10, 9, 8.4, 7.6, 7, 6.5, 5.9, 5.6, 5.2];
    const told = history(
      areas.map((cm2, week) => [7 * week, cm2] as const),
      VENOUS,
    );
    const missed = told.map((codes) => codes.includes('area_reduction_below_40_at_4_weeks'));
    expect(missed).toEqual([false, false, false, false, true, true, false, false, false]);
    expect(told.flat()).not.toContain('area_reduction_below_90_at_8_weeks');
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

  it('raises the eight-week flag only for ulcers that had halved at four weeks, as its source has it', () => {
    expect(
      history([
        [0, 10],
        [28, 9],
        [56, 8],
      ])[2],
    ).toEqual(['area_reduction_below_50_at_4_weeks']);
    expect(
      history([
        [0, 10],
        [28, 4],
        [56, 3],
      ])[2],
    ).toEqual(['area_reduction_below_90_at_8_weeks']);
    expect(
      history([
        [0, 10],
        [56, 3],
      ])[1],
    ).toEqual([]);
  });

  it.each([
    ['four', 27, [[0, 10]], 9],
    [
      'eight',
      55,
      [
        [0, 10],
        [28, 4],
      ],
      3,
    ],
  ] as const)('raises the milestone of %s weeks half a day early, and not a day', (weeks, day, before, areaCm2) => {
    const code = weeks === 'four' ? 'area_reduction_below_50_at_4_weeks' : 'area_reduction_below_90_at_8_weeks';
    expect(history([...before, [day, areaCm2]]).at(-1)).not.toContain(code);
    expect(history([...before, [day + 0.4, areaCm2]]).at(-1)).not.toContain(code);
    expect(history([...before, [day + 0.5, areaCm2]]).at(-1)).toContain(code);
  });

  it('raises a milestone at the first visit at or after its day, and keeps it until the goal is met', () => {
    const flags = history([
      [0, 10],
      [10, 9.9],
      [21, 9.8],
      [35, 9.6],
      [49, 9.5],
      [63, 4.5],
      [77, 4.4],
    ]);
    const raised = flags.map((codes) => codes.includes('area_reduction_below_50_at_4_weeks'));
    expect(raised).toEqual([false, false, false, true, true, false, false]);
  });

  it('flags a stall of two weeks and of four, whatever the days of the visits', () => {
    const flags = history(
      [
        [0, 10],
        [10, 9.9],
        [21, 9.9],
        [35, 10],
        [49, 9.9],
      ],
      PRESSURE,
    );
    expect(flags).toEqual([[], [], ['stalled_14_days'], ['stalled_28_days'], ['stalled_28_days']]);
  });

  it('counts a visit early on the fourteenth or twenty-eighth day for the stall of that day, and none of the day before', () => {
    const flagsAt = (day: number) =>
      history(
        [
          [0, 10],
          [day, 9.9],
        ],
        PRESSURE,
      )[1];
    expect(flagsAt(13.4)).toEqual([]);
    expect([flagsAt(13.5), flagsAt(27.4)]).toEqual([['stalled_14_days'], ['stalled_14_days']]);
    expect(flagsAt(27.5)).toEqual(['stalled_28_days']);
  });

  it('flags a wound that grows so slowly that no pair of visits shows it', () => {
    const visits = [
      [0, 4],
      [13, 4.8],
      [26, 5.6],
      [39, 6.8],
      [52, 8.2],
      [64, 10],
    ] as const;
    const all = visits.map(([day, cm2]) =>
      photoOn(day, cm2, { woundType: PRESSURE, findings: { ...area(cm2), areaRepeatabilityPct: 9.8 } }),
    );
    const codes = flagsOfAll(all).map((flags) => flags.map(({ code }) => code));
    expect(codes).toEqual([
      [],
      [],
      ['area_growth_by_slope'],
      ['area_growth_since_baseline', 'area_growth_by_slope'],
      ['area_growth_since_baseline', 'area_growth_by_slope'],
      ['area_growth_since_baseline', 'area_growth_by_slope'],
    ]);
  });

  it('flags growth against the smallest area, which is neither the first nor the last', () => {
    const flags = history(
      [
        [0, 10],
        [7, 5],
        [14, 6.5],
        [21, 7.5],
        [28, 8.7],
      ],
      PRESSURE,
    );
    expect(flags[4]).toContain('area_growth_since_smallest');
  });

  it('says once that a wound is seen again which a person had closed', () => {
    const closures = [{ closedAt: dayOf(20).toISOString(), reopenedAt: dayOf(30).toISOString() }];
    const all = [photoOn(0, 4), photoOn(14, 0.3), photoOn(34, 1), photoOn(41, 0.9)];
    const flags = flagsOfAll(all, closures);
    expect(flags[2]).toMatchObject([{ code: 'reopened', value: 14, days: 14 }]);
    expect(flags[3]).toEqual([]);
  });

  it.each([[['none']], [['no signs of infection', 'keine']], [['No']], [['']]])(
    'raises no sign of infection where a clinician recorded that there is none: %j',
    (infectionSigns) => expect(flagsOfAll([photoOn(0, 4, { observations: { infectionSigns } })])).toEqual([[]]),
  );

  it('repeats the signs of infection that stand beside a word for none', () => {
    const [flags] = flagsOfAll([photoOn(0, 4, { observations: { infectionSigns: ['none', 'no fever, but pus'] } })]);
    expect(flags).toMatchObject([{ code: 'infection_signs_recorded', value: 1, words: ['no fever, but pus'] }]);
  });

  it('repeats the signs of infection that a clinician recorded, in those words', () => {
    const [flags] = flagsOfAll([
      photoOn(0, 4, { observations: { infectionSigns: ['warm', 'spreading redness 2 cm'] } }),
    ]);
    expect(flags).toMatchObject([
      { code: 'infection_signs_recorded', value: 2, words: ['warm', 'spreading redness 2 cm'], evidence: [] },
    ]);
  });
});
