import { reportsOf } from '../../../test/support/sample-report.js';
import type { ReportContent } from './clinical-report.js';
import { saysTheSame } from './report-series.js';

/** As a report of edition 4 told it: kinder than the rules of today. */
function byRules(rules: number, content: ReportContent): ReportContent {
  const course = { verdict: 'improving', since: content.capturedAt, because: [], waitsFor: [] } as const;
  return { ...content, comparison: { ...content.comparison, rules, course } };
}

describe('a report by the rules before these', () => {
  const { content } = reportsOf({ weeks: [9, 8], observed: [] }).at(-1)!;

  it.each([1, 2, 3, 4, 5])('of edition %d is left as it was issued while its areas are the same', (rules) => {
    expect(saysTheSame(byRules(rules, content), content)).toBe(true);
  });

  it('is made anew where the area that it compares is another', () => {
    const corrected = { ...content, comparison: { ...content.comparison, previous: null } };
    expect(saysTheSame(byRules(4, content), corrected)).toBe(false);
  });

  it('is made anew where what was stated before it was corrected', () => {
    expect(saysTheSame(byRules(5, content), content, true)).toBe(false);
  });

  it('of the present edition is made anew where its verdict is another', () => {
    expect(saysTheSame(byRules(content.comparison.rules, content), content)).toBe(false);
  });
});
