import { preferredWaitS } from './preferred-wait.js';

describe('Prefer: wait', () => {
  it.each([
    undefined,
    '',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    'respond-async',
    'await=5',
    'wait=99999999',
  ])('ignores %s', (prefer) => {
    expect(preferredWaitS(prefer)).toBeNull();
  });

  it.each([
    ['wait=5', 5],
    ['wait=0', 0],
    ['WAIT = 7', 7],
    ['respond-async, wait=10', 10],
    ['wait="3"; foo=bar', 3],
    ['wait=31', 30],
    ['wait=1, wait=20', 1],
  ])('reads %s', (prefer, seconds) => {
    expect(preferredWaitS(prefer)).toBe(seconds);
  });
});
