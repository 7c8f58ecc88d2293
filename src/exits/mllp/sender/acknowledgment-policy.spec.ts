import { judge as judgeOutcome, SENDER_TIMINGS } from '../../kit/index.js';
import { meaningOf } from './acknowledgment-policy.js';

const FRESH = { failures: 0, refusals: 0 };
const SILENT = { kind: 'silent' } as const;
const answered = (code: 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR', ...conditions: string[]) => ({
  kind: 'answered' as const,
  meaning: meaningOf({ code, conditions }),
});
const judge = (attempt: typeof SILENT | ReturnType<typeof answered>, history = FRESH) =>
  judgeOutcome(attempt, history, SENDER_TIMINGS);

describe('the acknowledgment policy', () => {
  it.each(['AR', 'CR'] as const)('parks a message at once after %s', (code) => {
    expect(judge(answered(code, '200'))).toEqual({ kind: 'parked' });
    expect(judge(answered(code))).toEqual({ kind: 'parked' });
  });

  it.each(['206', '207'])('tries again for as long as it takes after AR with %s', (condition) => {
    expect(judge(answered('AR', condition), { failures: 40, refusals: 2 })).toEqual({
      kind: 'retry',
      afterMs: 300_000,
      failures: 41,
      refusals: 2,
    });
  });

  it.each(['AE', 'CE'] as const)('tries three times more after %s, then parks the message', (code) => {
    const pauses = [0, 1, 2].map((refusals) => judge(answered(code, '102'), { failures: 5, refusals }));
    expect(pauses).toEqual(
      [60_000, 300_000, 900_000].map((afterMs, index) => ({
        kind: 'retry',
        afterMs,
        failures: 0,
        refusals: index + 1,
      })),
    );
    expect(judge(answered(code, '207'), { failures: 0, refusals: 3 })).toEqual({ kind: 'parked' });
  });

  it('waits longer with each silence, five minutes at most, and never gives up', () => {
    const pauses = [0, 1, 2, 8, 9, 1000].map((failures) => judge(SILENT, { failures, refusals: 0 }));
    expect(pauses.map((pause) => (pause.kind === 'retry' ? pause.afterMs : null))).toEqual([
      1000, 2000, 4000, 256_000, 300_000, 300_000,
    ]);
  });

  it.each(['AA', 'CA'] as const)('takes %s for the receiver’s word', (code) =>
    expect(judge(answered(code))).toEqual({ kind: 'delivered' }),
  );
});
