import { randomNumbers } from '../../../test/support/card-scene.js';
import { seedsOf } from '../../../test/support/rounds.js';
import { photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { AssessmentFindings } from './assessment.js';
import { flagSeries } from './flags.js';
import { placesOf, type AssessmentInSeries } from './series-order.js';
import { compareSeries } from './series.js';
import type { Closure } from './wound-closure.js';

const HISTORIES = seedsOf('series-properties', 60);
const DAY_MS = 86_400_000;

/** A wound's photos as a hurried ward takes them: with and without a scale, twice in a minute, analysed again, reviewed or not. */
function drawHistory(seed: number): { readonly all: AssessmentInSeries[]; readonly closures: Closure[] } {
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  let day = 0;
  let areaCm2 = 1 + 15 * random();
  const all: AssessmentInSeries[] = [];
  for (let visit = 0; visit < 12; visit++) {
    day += pick([0, 0.01, 1, 3.5, 7, 7, 14, 90]);
    areaCm2 = Math.min(Math.max(areaCm2 * pick([0.1, 0.7, 0.9, 1, 1.1, 1.4, 5]), 0.02), 30);
    const analyses = pick([1, 1, 1, 2]);
    for (let analysis = 0; analysis < analyses; analysis++) {
      const drawn = { ...squareOf(areaCm2 * pick([1, 1.02])), blurred: pick([false, false, true]) };
      all.push(
        photoOn(day, areaCm2, {
          reportId: `r${String(all.length).padStart(4, '0')}`,
          imageId: `i${visit}`,
          findings: drawFindings({ ...drawn, ...pick([{}, {}, { mmPerPixel: null }, { boxes: [] }]) }),
          stated: { woundRef: 'wound', bodySite: null, laterality: pick([null, 'left', 'left', 'right'] as const) },
          reviewed: pick([false, false, true]),
        }),
      );
    }
  }
  const closedAt = new Date(all[6]!.capturedAt.getTime() + 60_000).toISOString();
  return { all, closures: pick([[], [{ closedAt, reopenedAt: null }]]) };
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const keyed = values.map((value) => [random(), value] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** All that is said of each assessment. */
function told(all: readonly AssessmentInSeries[], closures: readonly Closure[] = []) {
  const comparisons = compareSeries(all, closures);
  const flags = flagSeries(all, comparisons);
  const places = placesOf(all);
  const byId = [...all].sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
  return byId.map(({ reportId }) => ({
    reportId,
    place: places.get(reportId),
    comparison: comparisons.get(reportId),
    flags: flags.get(reportId),
  }));
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const area = (cm2: number): AssessmentFindings => {
  const findings = drawFindings(squareOf(4));
  const cm2Value = { value: cm2, lower: cm2, upper: cm2 };
  return { ...findings, figures: { ...findings.figures!, area: { ...findings.figures!.area, cm2: cm2Value } } };
};

describe('the series of a wound', () => {
  it.each(HISTORIES)('is the same in whatever order its photos arrive (history %i)', (seed) => {
    const { all, closures } = drawHistory(seed);
    const random = randomNumbers(seed + 1000);
    const inOrder = told(all, closures);
    expect(told(shuffled(all, random), closures)).toEqual(inOrder);
    expect(told([...all].reverse(), closures)).toEqual(inOrder);
  });

  it.each(HISTORIES)('is the same in whatever order its photos are reported (history %i)', (seed) => {
    const { all, closures } = drawHistory(seed);
    const moments = new Map(all.map((one) => [one.capturedAt.getTime(), one]));
    const inOrder = [...new Map([...moments.values()].map((one) => [one.imageId, one])).values()];
    const numbers = shuffled([...inOrder.keys()], randomNumbers(seed + 2000));
    const reported = inOrder.map((one, index) => ({ ...one, reportId: `late-${100 + numbers[index]!}` }));
    const named = new Map(reported.map(({ reportId }, index) => [reportId, inOrder[index]!.reportId]));
    const renamed = JSON.stringify(told(reported, closures)).replace(/late-\d+/g, (id) => named.get(id)!);
    const said = JSON.parse(renamed) as { reportId: string }[];
    said.sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
    expect(said).toEqual(JSON.parse(JSON.stringify(told(inOrder, closures))));
  });

  it.each(HISTORIES)('says the same of a photo whatever is taken after it (history %i)', (seed) => {
    const { all, closures } = drawHistory(seed);
    const whole = new Map(told(all, closures).map((one) => [one.reportId, one]));
    const photos = [...new Set(all.map(({ imageId }) => imageId))];
    for (const count of [3, 6, 9]) {
      const kept = new Set(photos.slice(0, count));
      const taken = all.filter(({ imageId }) => kept.has(imageId));
      for (const one of told(taken, closures)) expect(one).toEqual(whole.get(one.reportId));
    }
  });

  it.each(HISTORIES)('has one place for each photo, counted from 1 without a gap (history %i)', (seed) => {
    const { all, closures } = drawHistory(seed);
    const placeOfPhoto = new Map(told(all, closures).map(({ reportId, place }) => [imageOf(all, reportId), place]));
    const places = [...placeOfPhoto.values()].sort((a, b) => a! - b!);
    expect(places).toEqual(places.map((_, index) => index + 1));
    for (const imageId of placeOfPhoto.keys()) {
      const analyses = all.filter((one) => one.imageId === imageId).map(({ reportId }) => reportId);
      const comparisons = compareSeries(all, closures);
      const standing = analyses.filter((reportId) => comparisons.get(reportId)!.supersededBy === null);
      expect(standing).toHaveLength(1);
    }
  });

  it.each(HISTORIES)(
    'lets no assessment wait that a person has reviewed, and counts in finite numbers (history %i)',
    (seed) => {
      const { all, closures } = drawHistory(seed);
      const reviewed = new Set(all.filter((one) => one.reviewed).map(({ reportId }) => reportId));
      const everything = told(all, closures);
      const waiting = everything.filter(({ comparison }) => comparison!.attention.length > 0);
      expect(waiting.filter(({ reportId }) => reviewed.has(reportId))).toEqual([]);
      expect(numbersIn(everything).filter((figure) => !Number.isFinite(figure))).toEqual([]);
    },
  );

  it.each<[string, AssessmentInSeries[]]>([
    ['areas of nothing', [0, 7, 14, 28].map((day) => photoOn(day, 1, { findings: area(0) }))],
    [
      'nothing and something in turn',
      [0, 7, 14, 28].map((day, index) => photoOn(day, 1, { findings: area(index % 2) })),
    ],
    ['the smallest area', [0, 7, 14, 28].map((day) => photoOn(day, 1, { findings: area(0.01) }))],
    [
      'photos of one moment',
      [1, 2, 3, 4].map((number) => photoOn(0, number, { reportId: `r${number}`, imageId: `i${number}` })),
    ],
    [
      '500 photos of one second',
      Array.from({ length: 500 }, (_, number) =>
        photoOn(number / (500 * 86_400), 4, { reportId: `r${1000 + number}`, imageId: `i${number}` }),
      ),
    ],
    ['a hundred years between', [0, 36_500, 36_507].map((day) => photoOn(day, 4))],
    [
      'the change of clocks',
      [
        '2025-03-23T09:00:00+01:00',
        '2025-03-30T09:00:00+02:00',
        '2025-10-26T02:30:00+02:00',
        '2025-10-26T02:30:00+01:00',
      ].map((moment, index) => photoOn(index, 4, { capturedAt: new Date(moment) })),
    ],
  ])('counts in finite numbers over %s', (_, all) => {
    const figures = numbersIn(told(all));
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter((figure) => !Number.isFinite(figure))).toEqual([]);
  });

  it('counts a week over a change of clocks as it was: an hour short of seven days', () => {
    const [before, after] = ['2025-03-23T09:00:00+01:00', '2025-03-30T09:00:00+02:00'].map(
      (moment) => new Date(moment),
    );
    const all = [photoOn(0, 4, { capturedAt: before! }), photoOn(1, 4, { capturedAt: after! })];
    expect(all[1]!.capturedAt.getTime() - all[0]!.capturedAt.getTime()).toBe(7 * DAY_MS - 3_600_000);
    expect(compareSeries(all).get(all[1]!.reportId)!.sincePrevious!.days).toBe(7);
  });
});

function imageOf(all: readonly AssessmentInSeries[], reportId: string): string {
  return all.find((one) => one.reportId === reportId)!.imageId;
}
