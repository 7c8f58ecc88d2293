import { momentTyped, newStep, nowTyped } from './wound-step.js';

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

  it('begins with the present minute', () => {
    const now = new Date(2026, 0, 5, 10, 42, 30);
    expect(nowTyped(now)).toBe('2026-01-05T10:42');
    expect(newStep('graft')).toMatchObject({ kind: 'graft', reason: '', note: '' });
  });
});
