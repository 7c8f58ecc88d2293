import { afterTimeout, MOST_OWN_TIMEOUTS, waitAfterCrashS } from './timeout-policy.js';

test('a job whose time-outs may be the service’s trouble is never ended, and waits five minutes at most', () => {
  const waits = [1, 2, 3, 4, 5, 1000].map((all) => afterTimeout({ all, own: MOST_OWN_TIMEOUTS - 1 }));
  expect(waits).toEqual([15, 60, 180, 300, 300, 300].map((afterS) => ({ kind: 'retry', afterS })));
});

test('a photo that times out three times while others end well is given up', () => {
  expect(afterTimeout({ all: 3, own: 3 })).toEqual({ kind: 'end' });
  expect(afterTimeout({ all: 90, own: 3 })).toEqual({ kind: 'end' });
});

test('a job that crashed waits a little, and longer the second time', () => {
  expect([1, 2, 3].map(waitAfterCrashS)).toEqual([2, 10, 10]);
});
