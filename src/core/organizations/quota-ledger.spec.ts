import { QUOTA_THRESHOLDS_PCT, thresholdOf } from './quota-ledger.js';
import { remainingOf } from '../tenancy/quota-usage.js';

describe('a daily quota', () => {
  it('has nothing left, and never less, once it is used up or was lowered below what was used', () => {
    const resetsInS = 60;
    expect([
      remainingOf({ limit: 10, used: 10, resetsInS }),
      remainingOf({ limit: 5, used: 9, resetsInS }),
      remainingOf({ limit: 10, used: 7, resetsInS }),
    ]).toEqual([0, 0, 3]);
  });

  it.each([1, 3, 7, 10, 49, 100, 999])('of %i tells of a share with the first analysis that reaches it', (limit) => {
    for (const sharePct of QUOTA_THRESHOLDS_PCT) {
      const used = thresholdOf({ limit }, sharePct);
      expect(used * 100).toBeGreaterThanOrEqual(limit * sharePct);
      expect((used - 1) * 100).toBeLessThan(limit * sharePct);
    }
  });
});
