import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { AssessmentFindings } from './assessment.js';
import { photoOn } from '../../../test/support/series-photos.js';
import { sitesInSeries } from './attention.js';
import { compareSeries, NOTHING_COMPARED, type SeriesComparison } from './series.js';
import { placesOf, type AssessmentInSeries } from './series-order.js';

const WEEK_MS = 7 * 86_400_000;
const START = Date.UTC(2025, 0, 6, 9);

function photo(week: number, findings: AssessmentFindings): AssessmentInSeries {
  return {
    ...photoOn(0, 1),
    reportId: `r${week}`,
    jobId: `j${week}`,
    imageId: `i${week}`,
    capturedAt: new Date(START + week * WEEK_MS),
    findings,
  };
}

function compare(...assessments: AssessmentInSeries[]): (week: number) => SeriesComparison {
  const comparisons = compareSeries(assessments);
  return (week) => comparisons.get(`r${week}`)!;
}

const area = (cm2: number) => drawFindings(squareOf(cm2));

function withArea(cm2: number): AssessmentFindings {
  const findings = area(4);
  const figures = findings.figures!;
  return {
    ...findings,
    figures: { ...figures, area: { ...figures.area, cm2: { value: cm2, lower: cm2, upper: cm2 } } },
  };
}

describe('compareSeries', () => {
  it('makes no trend from a photo without an outline, without a scale or with competing outlines, and names the reason', () => {
    const of = compare(
      photo(0, area(9)),
      photo(1, drawFindings({ boxes: [] })),
      photo(2, drawFindings({ mmPerPixel: null })),
      photo(
        3,
        drawFindings({
          boxes: [
            [100, 100, 200, 200],
            [300, 100, 340, 140],
          ],
        }),
      ),
      photo(4, area(4)),
    );
    expect([1, 2, 3].map((week) => of(week).noTrendReason)).toEqual([
      'no_wound_outlined',
      'no_scale',
      'multiple_outlines',
    ]);
    expect([1, 2, 3].map((week) => [of(week).sincePrevious, of(week).trend])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(of(4)).toMatchObject({ noTrendReason: null, previous: { reportId: 'r0' }, sincePrevious: { days: 28 } });
  });

  it('makes no trend from a photo of which no more than the month or year is known: the days between would be guessed', () => {
    const dated = (week: number, capturedAsStated: string) => ({ ...photo(week, area(4)), capturedAsStated });
    const of = compare(
      photo(0, area(9)),
      dated(1, '2025-01'),
      dated(2, '2025'),
      dated(3, '2025-01-27'),
      photo(4, area(4)),
    );
    expect([1, 2, 3].map((week) => of(week).noTrendReason)).toEqual(['day_unknown', 'day_unknown', null]);
    expect([of(1).sincePrevious, of(1).slope]).toEqual([null, null]);
    expect(of(3)).toMatchObject({ previous: { reportId: 'r0' }, previousAssessment: { capturedAsStated: '2025' } });
  });

  it('calls an outline that others hardly rival the wound', () => {
    expect(
      compare(
        photo(
          0,
          drawFindings({
            boxes: [
              [100, 100, 200, 200],
              [300, 100, 331, 131],
            ],
          }),
        ),
      )(0).noTrendReason,
    ).toBeNull();
  });

  it('gives the first photo nothing to be compared with', () => {
    expect(compare(photo(0, area(9)))(0)).toEqual(NOTHING_COMPARED);
  });

  it.each([
    [
      'the weeks in which clocks are put forward',
      '2025-03-24T09:00:00+01:00',
      '2025-03-31T09:00:00+02:00',
      { days: 7, areaCm2PerWeek: -5.03 },
    ],
    [
      'the weeks in which clocks are put back',
      '2025-10-20T09:00:00+02:00',
      '2025-10-27T09:00:00+01:00',
      { days: 7, areaCm2PerWeek: -4.97 },
    ],
    ['a leap day', '2024-02-28T09:00:00Z', '2024-03-01T09:00:00Z', { days: 2, areaCm2PerWeek: -17.5 }],
    ['the same days of another year', '2025-02-28T09:00:00Z', '2025-03-01T09:00:00Z', { days: 1, areaCm2PerWeek: -35 }],
    [
      'a morning and the evening after it',
      '2025-01-06T07:10:00Z',
      '2025-01-06T21:10:00Z',
      { days: 0.6, areaCm2PerWeek: -60 },
    ],
    [
      'an evening and the morning after it',
      '2025-01-06T21:10:00Z',
      '2025-01-07T07:10:00Z',
      { days: 0.4, areaCm2PerWeek: null },
    ],
  ])('counts the time that passed, not dates: over %s', (_, before, after, change) => {
    const at = (id: string, moment: string, findings: AssessmentFindings) => ({
      ...photo(0, findings),
      reportId: id,
      imageId: id,
      capturedAt: new Date(moment),
      reviewed: true,
    });
    expect(compareSeries([at('a', before, area(9)), at('b', after, area(4))]).get('b')!.sincePrevious).toMatchObject(
      change,
    );
  });

  it('keeps two photos of the same moment apart, the one that was reported first before the other, and makes no rate of them', () => {
    const [first, second] = [
      { ...photo(0, area(9)), reportId: 'a', imageId: 'a' },
      { ...photo(0, area(4)), reportId: 'b', imageId: 'b', reviewed: true },
    ];
    const comparisons = compareSeries([photo(1, area(3)), second, first]);
    expect(comparisons.get('a')!.previous).toBeNull();
    expect(comparisons.get('b')).toMatchObject({
      previous: { reportId: 'a' },
      sincePrevious: { days: 0, areaPct: -55.6, areaCm2PerWeek: null, marginAdvanceMmPerDay: null },
    });
    expect(comparisons.get('r1')).toMatchObject({ previous: { reportId: 'b' }, baseline: { reportId: 'a' } });
  });

  it('makes no rate out of two photos of the same hour', () => {
    const soon = {
      ...photo(0, area(4)),
      reportId: 'soon',
      imageId: 'soon',
      capturedAt: new Date(START + 3_600_000),
      reviewed: true,
    };
    expect(compareSeries([photo(0, area(9)), soon]).get('soon')!.sincePrevious).toMatchObject({
      days: 0,
      areaPct: -55.6,
      areaCm2PerWeek: null,
      marginAdvanceMmPerDay: null,
    });
  });

  it('names what makes two photos hard to compare, and then calls no trend', () => {
    const marker = { ...area(4), scale: { ...area(4).scale, source: 'marker' as const } };
    expect(compare(photo(0, area(9)), photo(1, marker))(1)).toMatchObject({
      trend: null,
      sincePrevious: { areaPct: -55.6, warnings: ['other_scale_source'] },
    });
    expect(
      compare(photo(0, area(9)), photo(1, drawFindings({ ...squareOf(4), blurred: true })))(1).sincePrevious!.warnings,
    ).toEqual(['poor_quality']);
    expect(
      compare(photo(0, area(9)), photo(1, drawFindings({ ...squareOf(4), model: '2.0.0' })))(1).sincePrevious!.warnings,
    ).toEqual(['other_model_version']);
  });

  it('calls a change within the minimal detectable one no trend in either direction', () => {
    // Repeatability 5 % and a scale known to 2 % on both photos: x = 1.96 · √(2·0.05² + 2·0.04²) = 0.1775; 1 − e^−x and e^x − 1.
    const of = compare(photo(0, area(9)), photo(1, area(7.6)), photo(2, area(6)), photo(3, area(8)));
    expect(of(1)).toMatchObject({
      trend: 'within_detectable_change',
      sincePrevious: { minimalDetectableChangePct: 16.3, beyondDetectable: false },
    });
    expect(of(2)).toMatchObject({ trend: 'smaller', sincePrevious: { beyondDetectable: true } });
    expect(compare(photo(0, area(6)), photo(1, area(8)))(1)).toMatchObject({ trend: 'larger', trendBasis: 'pair' });
  });

  it('orders by capture time and not by arrival, and compares with the one before and the first', () => {
    const of = compare(photo(2, area(4)), photo(0, area(9)), photo(1, area(6.25)));
    expect(of(1)).toMatchObject({ previous: { reportId: 'r0' }, baseline: { reportId: 'r0' } });
    expect(of(2)).toMatchObject({
      previous: { reportId: 'r1', areaCm2: { value: 6.25 } },
      baseline: { reportId: 'r0' },
      sinceBaseline: { days: 14, areaPct: -55.6 },
    });
  });

  it('gives rates in cm² a week and the advance of the margin in mm a day', () => {
    // 9 cm² to 4 cm² in a week: squares of 3 cm and 2 cm, mean perimeter 10 cm: 5 cm² ÷ 10 cm ÷ 7 days.
    expect(compare(photo(0, area(9)), photo(1, area(4)))(1).sincePrevious).toMatchObject({
      days: 7,
      areaCm2: -5,
      areaCm2PerWeek: -5,
      marginAdvanceMmPerDay: 0.714,
    });
  });

  it('states the trend by the slope as soon as three assessments are comparable', () => {
    const of = compare(photo(0, area(9)), photo(1, area(8)), photo(2, area(7)), photo(3, area(6)));
    expect(of(1)).toMatchObject({ slope: null, trendBasis: 'pair' });
    expect(of(3)).toMatchObject({
      trend: 'smaller',
      trendBasis: 'slope',
      slope: { assessments: 4, days: 21, pctPerWeek: { value: -12.6 }, isGrowth: false },
    });
  });

  it('compares with the last photo that is comparable, and links to the one before whatever it is', () => {
    const client = { ...area(5), scale: { ...area(5).scale, source: 'marker' as const } };
    const of = compare(photo(0, area(6)), photo(1, client), photo(2, area(5.5)), photo(3, drawFindings({ boxes: [] })));
    expect(of(2)).toMatchObject({
      previousAssessment: { reportId: 'r1' },
      previous: { reportId: 'r0' },
      sincePrevious: { warnings: [], days: 14 },
    });
    expect(of(3)).toMatchObject({ previousAssessment: { reportId: 'r2' }, previous: { reportId: 'r2' } });
  });

  it('gives one photo one place: the newer analysis stands, unless a person has reviewed the older alone', () => {
    const older = { ...photo(1, area(4)), reportId: 'r1a' };
    const newer = { ...photo(1, area(5)), reportId: 'r1b' };
    const first = photo(0, area(6));
    const both = compareSeries([first, newer, older]);
    expect(both.get('r1b')).toMatchObject({ supersedes: 'r1a', supersededBy: null, sincePrevious: { areaCm2: -1 } });
    expect(both.get('r1a')).toMatchObject({
      noTrendReason: 'superseded',
      supersededBy: 'r1b',
      previousAssessment: { reportId: 'r0' },
      sincePrevious: null,
    });
    const reviewed = compareSeries([first, newer, { ...older, reviewed: true }]);
    expect(reviewed.get('r1a')).toMatchObject({ supersededBy: null, sincePrevious: { areaCm2: -2 } });
    expect(reviewed.get('r1b')).toMatchObject({ noTrendReason: 'superseded', supersededBy: 'r1a' });
    expect(placesOf([first, newer, older])).toEqual(
      new Map([
        ['r0', 1],
        ['r1b', 2],
        ['r1a', 2],
      ]),
    );
  });

  it('begins anew with the photo after a person closed the wound', () => {
    const closures = [{ closedAt: new Date(START + 2.5 * WEEK_MS).toISOString(), reopenedAt: null }];
    const all = [photo(0, area(6)), photo(1, area(3)), photo(2, area(1)), photo(3, area(2)), photo(4, area(1.5))];
    const comparisons = compareSeries(all, closures);
    expect(comparisons.get('r2')).toMatchObject({ closure: null, baseline: { reportId: 'r0' } });
    expect(comparisons.get('r3')).toMatchObject({
      closure: closures[0],
      previousAssessment: { reportId: 'r2' },
      previous: null,
      trend: null,
    });
    expect(comparisons.get('r4')).toMatchObject({ closure: closures[0], baseline: { reportId: 'r3' } });
  });

  it('counts a photo of the very moment of the closing to what was closed', () => {
    const closures = [{ closedAt: new Date(START + WEEK_MS).toISOString(), reopenedAt: null }];
    const comparisons = compareSeries([photo(0, area(6)), photo(1, area(1))], closures);
    expect(comparisons.get('r1')).toMatchObject({ closure: null, previous: { reportId: 'r0' } });
  });

  it('states growth of an area that rounded to nothing, and none of a wound that stays so small', () => {
    expect(compare(photo(0, withArea(0)), photo(2, withArea(0.5)))(2)).toMatchObject({
      trend: 'larger',
      sincePrevious: { areaCm2: 0.5, areaPct: 5000, beyondDetectable: true },
    });
    expect(compare(photo(0, withArea(0)), photo(2, withArea(0)))(2).sincePrevious).toMatchObject({ areaPct: 0 });
  });

  it('takes the site from the analysis of a photo that stands, never from one that it supersedes', () => {
    const side = (laterality: 'left' | 'right' | null) => ({ woundRef: 'wound', bodySite: null, laterality });
    const all = [
      { ...photo(0, area(6)), stated: side('right'), reviewed: true },
      { ...photo(0, area(6)), reportId: 'r0b', stated: side('left') },
      { ...photo(1, area(5)), stated: side(null) },
    ];
    const sites = sitesInSeries(all, compareSeries(all));
    expect(all.map(({ reportId }) => sites.get(reportId)!.laterality)).toEqual(['right', 'right', 'right']);
  });

  it('lets a result wait whose side contradicts the wound, and goes on without it until a person has confirmed it', () => {
    const side = (laterality: 'left' | 'right') => ({ woundRef: 'wound', bodySite: null, laterality });
    const all = [
      { ...photo(0, area(6)), stated: side('left') },
      { ...photo(1, area(5)), stated: side('right') },
      { ...photo(2, area(4)), stated: side('left') },
    ];
    const waiting = compareSeries(all);
    expect(waiting.get('r1')).toMatchObject({
      attention: ['site_mismatch'],
      noTrendReason: 'awaiting_confirmation',
      sincePrevious: null,
    });
    expect(waiting.get('r2')).toMatchObject({ attention: [], previous: { reportId: 'r0' } });
    const confirmed = compareSeries([all[0]!, { ...all[1]!, reviewed: true }, all[2]!]);
    expect(confirmed.get('r2')).toMatchObject({ previous: { reportId: 'r1' } });
  });

  it('lets an area wait that grows by a factor, or whose margin moves as that of no wound, and one that no limb has', () => {
    expect(compare(photo(0, area(4)), photo(1, area(16.5)))(1).attention).toEqual(['area_jump']);
    expect(compare(photo(0, area(16.5)), photo(1, area(4)))(1).attention).toEqual(['area_jump']);
    expect(compare(photo(0, area(4)), photo(2, area(12.5)))(2).attention).toEqual(['area_jump']);
    expect(compare(photo(0, area(4)), photo(9, area(16.5)))(9).attention).toEqual(['area_jump']);
    expect(compare(photo(0, area(4)), photo(3, area(14)))(3).attention).toEqual([]);
    expect(compare(photo(0, area(16.5)), photo(4, area(2)))(4).attention).toEqual([]);
    expect(compare(photo(0, area(0.4)), photo(1, area(0.08)))(1).attention).toEqual([]);
    const huge = { ...photoOn(0, 4), findings: withArea(1800) };
    expect(compareSeries([huge]).get(huge.reportId)!.attention).toEqual(['area_implausible']);
  });

  it('lets an area wait that no limb of the patient’s age has, and a photo that is dated before the birth', () => {
    const large = { ...photoOn(0, 4), findings: withArea(200) };
    const of = (birthDate: string | null) => compareSeries([{ ...large, birthDate }]).get(large.reportId)!;
    const born = (days: number) => new Date(large.capturedAt.getTime() - days * 86_400_000).toISOString().slice(0, 10);
    expect([of(null), of(born(40)), of(born(9000))].map(({ attention }) => attention)).toEqual([[], [], []]);
    expect(of(born(9))).toMatchObject({ ageGroup: 'newborn', attention: ['area_implausible'] });
    expect([of(born(-3)).attention, of(born(-3)).ageGroup]).toEqual([['before_birth'], undefined]);
    expect(compareSeries([{ ...large, birthDate: born(-3), reviewed: true }]).get(large.reportId)!.attention).toEqual(
      [],
    );
  });

  it('holds no photo of a month or year to be from before the birth while its end is after that', () => {
    const stated = (capturedAt: string, capturedAsStated: string, birthDate: string) => {
      const photo = { ...photoOn(0, 4), capturedAt: new Date(capturedAt), capturedAsStated, birthDate };
      return compareSeries([photo]).get(photo.reportId)!;
    };
    expect(stated('2026-02-28T23:00:00Z', '2026-03', '2026-03-20')).toMatchObject({
      attention: [],
      ageGroup: 'newborn',
    });
    expect(stated('2025-12-31T23:00:00Z', '2026', '2026-03-20').attention).toEqual([]);
    expect(stated('2026-02-28T23:00:00Z', '2026-03', '2026-04-20').attention).toEqual(['before_birth']);
  });

  it('leaves a photo a child’s where its birth date is known no longer, and where it is analysed again', () => {
    const first = { ...photoOn(0, 4), ageGroupSaid: 'newborn' as const, wasBeforeBirth: true };
    expect(compareSeries([first]).get(first.reportId)).toMatchObject({
      ageGroup: 'newborn',
      attention: ['before_birth'],
    });
    const adult = compareSeries([{ ...first, birthDate: '1951-07-14' }]).get(first.reportId)!;
    expect([adult.ageGroup, adult.attention]).toEqual([undefined, []]);
    const again = { ...photoOn(0, 4), reportId: 'r999999', birthDate: '2015-01-01' };
    const both = compareSeries([{ ...first, birthDate: '2015-01-01' }, again]);
    expect([...both.values()].map(({ ageGroup }) => ageGroup)).toEqual(['under_15', 'under_15']);
  });
});
