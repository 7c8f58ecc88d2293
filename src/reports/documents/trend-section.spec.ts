import { reportsOf } from '../../../test/support/sample-report.js';
import type { AreaRelation, RelatedArea } from '../../core/followup/related-areas.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import { trendOf } from '../../core/report/trend-points.js';
import { LANGUAGES } from '../wording/language.js';
import type { TrendChart } from './trend-chart.js';
import { penOf } from './report-document.js';
import { areaSection, trendSection } from './trend-section.js';

const [first, second, third] = reportsOf({ weeks: [4, 4.4, 8.2], observed: [] }) as [
  ClinicalReport,
  ClinicalReport,
  ClinicalReport,
];
const sumOn = (capturedAt: string, parts: readonly number[]): RelatedArea => {
  const value = Math.round(parts.reduce((sum, part) => sum + part, 0) * 100) / 100;
  return {
    capturedAt,
    areaCm2: { value, lower: value - 1, upper: value + 1 },
    sumOf: parts.map((areaCm2) => ({ woundRef: 'w', reportId: 'r', areaCm2 })),
  };
};
const at = third.content.capturedAt;
const relatedTo = (relation: Pick<AreaRelation, 'kind' | 'before' | 'together'>): ClinicalReport => {
  const told = { at, wounds: [], change: null, sumOf: [], areaCm2: null, beforeReportId: null, ...relation };
  return { ...third, content: { ...third.content, comparison: { ...third.content.comparison, relation: told } } };
};
const before = [sumOn(first.content.capturedAt, [4, 3]), sumOn(second.content.capturedAt, [4.4, 3.2])];
const joined = relatedTo({ kind: 'joined', before });
const split = relatedTo({ kind: 'split', together: sumOn(at, [8.2, 2]) });

const chartOf = (report: ClinicalReport, language: (typeof LANGUAGES)[number]): TrendChart => {
  const pen = penOf(language, 'UTC');
  const block = trendSection(pen, trendOf([first, second, report]), report)!.blocks[0]!;
  if (block.kind !== 'chart') throw new Error('No chart.');
  return block.chart;
};

describe('the curve of a wound', () => {
  it('has no sign of sums, and no moment, where nothing grew together or fell apart', () => {
    const { legend, moments, points } = chartOf(third, 'en');
    expect([legend.map(({ sign }) => sign).includes('sum'), moments, points.length]).toEqual([false, [], 3]);
  });

  it.each(LANGUAGES)('says in %s when wounds grew together, and leads from their sums to the one', (language) => {
    const { legend, moments, segments, points } = chartOf(joined, language);
    const { say, figures } = penOf(language, 'UTC');
    expect(moments.map(({ text }) => text)).toEqual([say('chart.joined', { date: figures.day(at) })]);
    expect([segments, legend.map(({ sign }) => sign).includes('sum')]).toEqual([[], true]);
    const ofOne = points.filter(({ episode }) => episode === points.at(-1)!.episode);
    expect(ofOne.map(({ value, isRelated }) => [value, isRelated])).toEqual([
      [7, true],
      [7.6, true],
      [8.2, false],
    ]);
  });

  it('goes on with all parts of a split together, and begins anew with the part', () => {
    const { moments, points } = chartOf(split, 'en');
    expect([moments[0]!.text.startsWith('split'), points.map(({ value }) => value)]).toEqual([
      true,
      [4, 4.4, 10.2, 8.2],
    ]);
    expect(new Set(points.slice(0, 3).map(({ episode }) => episode)).size).toBe(1);
    expect(points[3]!.episode).not.toBe(points[2]!.episode);
  });

  it('names in its table what each sum is made of', () => {
    const pen = penOf('en', 'UTC');
    const text = JSON.stringify(areaSection(pen, trendOf([first, second, joined]), joined.id));
    expect(text.replaceAll('\u00a0', ' ')).toContain('(together: 4.40 cm² + 3.20 cm²)');
  });
});
