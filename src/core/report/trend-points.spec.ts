import { reportsOf } from '../../../test/support/sample-report.js';
import type { RelatedArea } from '../followup/related-areas.js';
import type { AreaRelation } from '../followup/related-areas.js';
import type { ClinicalReport } from './clinical-report.js';
import { trendOf } from './trend-points.js';

const MEASURED = { lower: 0, upper: 20 };
const areaOn = (capturedAt: string, value: number, sumOf?: RelatedArea['sumOf']): RelatedArea => ({
  capturedAt,
  areaCm2: { value, ...MEASURED },
  ...(sumOf === undefined ? {} : { sumOf }),
});
const part = (areaCm2: number) => ({ woundRef: 'w', reportId: 'r', areaCm2 });
const related = (report: ClinicalReport, relation: Partial<AreaRelation>): ClinicalReport => {
  const empty = { wounds: [], change: null, sumOf: [], areaCm2: null, beforeReportId: null };
  const comparison = {
    ...report.content.comparison,
    relation: { kind: 'joined', at: '', ...empty, ...relation } as const,
  };
  return { ...report, content: { ...report.content, comparison } };
};
const drawn = (reports: readonly ClinicalReport[], from: Date | null = null) =>
  trendOf(reports, from).map(({ reportId, areaCm2, relation }) => [
    reportId === null ? 'related' : 'own',
    areaCm2.value,
    relation?.at ?? '',
  ]);

describe('the points of a curve', () => {
  const [first, second, third] = reportsOf({ weeks: [4, 4.4, 8.2], observed: [] }) as [
    ClinicalReport,
    ClinicalReport,
    ClinicalReport,
  ];
  const [weekOne, weekTwo] = [first.content.capturedAt, second.content.capturedAt];
  const at = third.content.capturedAt;

  it('are the areas of the one number where nothing grew together or fell apart', () => {
    expect(drawn([first, second])).toEqual([
      ['own', 4, ''],
      ['own', 4.4, ''],
    ]);
  });

  it('lead from the sums of what grew together to the area of the one, in one episode', () => {
    const before = [areaOn(weekOne, 7, [part(4), part(3)]), areaOn(weekTwo, 7.6, [part(4.4), part(3.2)])];
    expect(drawn([first, second, related(third, { kind: 'joined', at, before })])).toEqual([
      ['own', 4, ''],
      ['related', 7, at],
      ['own', 4.4, ''],
      ['related', 7.6, at],
      ['own', 8.2, at],
    ]);
  });

  it('go on with all parts of a split together, before each part begins anew', () => {
    const together = areaOn(at, 5, [part(3), part(2)]);
    expect(drawn([first, second, related(third, { kind: 'split', at, together })])).toEqual([
      ['own', 4, ''],
      ['own', 4.4, ''],
      ['related', 5, ''],
      ['own', 8.2, at],
    ]);
    const before = [areaOn(weekOne, 6), areaOn(weekTwo, 5.5)];
    expect(drawn([related(third, { kind: 'split', at, before, together })])).toEqual([
      ['related', 6, ''],
      ['related', 5.5, ''],
      ['related', 5, ''],
      ['own', 8.2, at],
    ]);
  });

  it('are none from before the period that is asked for', () => {
    const before = [areaOn(weekOne, 7, [part(4), part(3)]), areaOn(weekTwo, 7.6, [part(4.4), part(3.2)])];
    expect(drawn([related(third, { kind: 'joined', at, before })], new Date(weekTwo))).toEqual([
      ['related', 7.6, at],
      ['own', 8.2, at],
    ]);
  });
});
