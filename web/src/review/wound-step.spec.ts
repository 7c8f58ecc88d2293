import { isMoot, isNow, isUntouched, momentTyped, newStep, nowTyped, typedHere, withOffset } from './wound-step.js';

const minute = (text: string) => new Date(text).getTime();

describe('what is recorded of the wound itself', () => {
  it('has no moment where none was typed', () => {
    expect(momentTyped({ kind: 'closed', at: '' })).toBeNull();
    expect(momentTyped({ kind: 'debridement', at: 'soon' })).toBeNull();
  });

  it('is of the minute that was typed, by the clocks of the page', () => {
    const at = '2026-01-05T10:42';
    expect(Date.parse(momentTyped({ kind: 'debridement', at })!)).toBe(minute(at));
  });

  it('closes after the photo of the same minute, and not in the time to come', () => {
    const at = '2026-01-05T10:42';
    const later = new Date(minute(at) + 3_600_000);
    expect(Date.parse(momentTyped({ kind: 'closed', at }, later)!)).toBe(minute(at) + 59_999);
    const now = new Date(minute(at) + 20_000);
    expect(momentTyped({ kind: 'closed', at }, now)).toBe(now.toISOString());
    const ahead = '2026-01-05T10:50';
    expect(Date.parse(momentTyped({ kind: 'closed', at: ahead }, now)!)).toBe(minute(ahead));
  });

  it('closes no earlier than the photo on the screen that was taken within the minute, whose clock may be ahead', () => {
    const at = '2026-01-05T10:42';
    const [now, shown] = [new Date(minute(at) - 180_000), new Date(minute(at) + 30_000).toISOString()];
    expect(momentTyped({ kind: 'closed', at }, now, shown)).toBe(shown);
    const before = new Date(minute(at) + 60_000).toISOString();
    expect(Date.parse(momentTyped({ kind: 'closed', at }, now, before)!)).toBe(minute(at));
  });

  it('is now for ten minutes while nobody touches its moment, and never of a step that another page began', () => {
    const step = newStep('closed');
    const begun = new Date(step.at).getTime();
    expect([isUntouched(step), isNow(step, new Date(begun + 300_000))]).toEqual([true, true]);
    expect(isNow(step, new Date(begun + 600_000))).toBe(false);
    expect(isNow({ ...step, at: withOffset('2026-01-05T10:42') }, new Date(begun))).toBe(false);
    expect(isNow({ ...step, requestId: 'of another page' }, new Date(begun))).toBe(false);
  });

  it('is the same moment on a device in another zone, and is shown there by the clocks of that', () => {
    expect(Date.parse(momentTyped({ kind: 'graft', at: '2026-01-05T10:00+09:00' })!)).toBe(minute('2026-01-05T01:00Z'));
    expect(typedHere('2026-01-05T10:00+13:00')).toBe(nowTyped(new Date('2026-01-04T21:00Z')));
    for (const typed of ['2026-07-05T10:00', '0002-07-05T10:00', '']) {
      expect(typedHere(withOffset(typed))).toBe(typed);
      expect(typedHere(typed)).toBe(typed);
    }
    expect(withOffset('2026-07-05T10:00')).toMatch(/^2026-07-05T10:00[+-]\d\d:\d\d$/);
  });

  it('is moot where the wound stands so already', () => {
    const facts = (status: 'open' | 'closed') => ({ wound: { status, closing: null } });
    expect([isMoot({ kind: 'closed' }, facts('closed')), isMoot({ kind: 'reopened' }, facts('open'))]).toEqual([
      true,
      true,
    ]);
    expect([isMoot({ kind: 'closed' }, facts('open')), isMoot({ kind: 'graft' }, facts('closed'))]).toEqual([
      false,
      false,
    ]);
  });

  it('begins with the present minute', () => {
    const now = new Date(2026, 0, 5, 10, 42, 30);
    expect(nowTyped(now)).toBe('2026-01-05T10:42');
    expect(newStep('graft')).toMatchObject({ kind: 'graft', reason: '', note: '' });
  });
});
