import { isSourceKind, SOURCE_KINDS } from './event-sources.js';

describe('what webhooks tell of', () => {
  it.each(['analysis.queued', 'analysis.started'] as const)('is not %s, which passes', (kind) => {
    expect(isSourceKind(kind)).toBe(false);
  });

  it('is every end of an analysis, every version of a report, every decision about a wound, and the quota', () => {
    expect([...SOURCE_KINDS].sort()).toEqual([
      'analysis.completed',
      'analysis.failed',
      'analysis.rejected',
      'quota.threshold',
      'report.amended',
      'report.moved',
      'report.ready',
      'wound.closed',
      'wound.reopened',
    ]);
  });
});
