import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { AssessmentFindings } from './assessment.js';
import { compareSeries, type AssessmentInSeries, type SeriesComparison } from './series.js';

const WEEK_MS = 7 * 86_400_000;
const START = Date.UTC(2025, 0, 6, 9);

function photo(week: number, findings: AssessmentFindings): AssessmentInSeries {
  return {
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
    expect(compare(photo(0, area(9)))(0)).toEqual({
      noTrendReason: null,
      previous: null,
      baseline: null,
      sincePrevious: null,
      sinceBaseline: null,
      trend: null,
    });
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
      capturedAt: new Date(moment),
    });
    expect(compareSeries([at('a', before, area(9)), at('b', after, area(4))]).get('b')!.sincePrevious).toMatchObject(
      change,
    );
  });

  it('keeps two photos of the same moment apart, the one that was reported first before the other, and makes no rate of them', () => {
    const [first, second] = [
      { ...photo(0, area(9)), reportId: 'a' },
      { ...photo(0, area(4)), reportId: 'b' },
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
    const soon = { ...photo(0, area(4)), reportId: 'soon', capturedAt: new Date(START + 3_600_000) };
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
    // Repeatability 5 % and a scale known to 2 % on both photos: 1.96 · √(2·5² + 2·4²) = 17.75.
    const of = compare(photo(0, area(9)), photo(1, area(7.6)), photo(2, area(6)), photo(3, area(8)));
    expect(of(1)).toMatchObject({
      trend: 'within_detectable_change',
      sincePrevious: { minimalDetectableChangePct: 17.7, beyondDetectable: false },
    });
    expect(of(2)).toMatchObject({ trend: 'smaller', sincePrevious: { beyondDetectable: true } });
    expect(of(3).trend).toBe('larger');
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
});
