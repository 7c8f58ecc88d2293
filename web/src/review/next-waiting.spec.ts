import { nextWaiting } from './next-waiting.js';

const list = (...waits: readonly boolean[]) =>
  waits.map((one, place) => ({ reportId: `r${place}`, label: `Wound ${place}`, waits: one }));

describe('the next report of a list', () => {
  it('is none where no other waits', () => {
    expect(nextWaiting([], 'r0')).toBeNull();
    expect(nextWaiting(list(true), 'r0')).toBeNull();
    expect(nextWaiting(list(false, true, false), 'r1')).toBeNull();
  });

  it('is the one behind the shown one that waits, and at the end the first that was left out', () => {
    expect(nextWaiting(list(true, false, true), 'r0')).toBe('r2');
    expect(nextWaiting(list(true, true, false), 'r2')).toBe('r0');
    expect(nextWaiting(list(true, false, true), 'r1')).toBe('r2');
  });

  it('is the first that waits where the shown one is not in the list any more', () => {
    expect(nextWaiting(list(false, true), 'gone')).toBe('r1');
  });
});
