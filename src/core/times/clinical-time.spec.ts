import { ClinicalTime } from './clinical-time.js';

const NOW = new Date('2026-11-29T05:00:00Z');
const read = (text: string): ClinicalTime => ClinicalTime.read(text)!;

/** Offsets, and a zone whose clocks showed it at the time. */
const PLACES = [
  ['-11:00', 'Pacific/Pago_Pago'],
  ['-08:00', 'America/Los_Angeles'],
  ['-05:00', 'America/New_York'],
  ['+00:00', 'Europe/London'],
  ['+01:00', 'Europe/Berlin'],
  ['+05:30', 'Asia/Kolkata'],
  ['+10:00', 'Australia/Brisbane'],
  ['+14:00', 'Pacific/Kiritimati'],
] as const;

describe('what is no time', () => {
  it.each([
    null,
    undefined,
    '',
    'soon',
    '20261127',
    '2026-02-30',
    '2026-13',
    '2026-11-27T25:00:00Z',
    '2026-11-27T10:00:00+14:30',
  ])('%p is none', (text) => expect(ClinicalTime.read(text)).toBeNull());
});

describe('a day, month or year', () => {
  it.each([
    ['2026', 'year'],
    ['2026-11', 'month'],
    ['2026-11-27', 'day'],
    ['2026-11-27T10:00:00+01:00', 'instant'],
    ['2026-11-27T10:00:00.123Z', 'instant'],
  ])('%s is known to the %s', (text, precision) => {
    expect(read(text)).toMatchObject({ text, precision, hasTimeOfDay: precision === 'instant' });
  });

  it.each(PLACES)('stays that day where the clocks are at %s (%s)', (_, zone) => {
    expect(read('2026-11-27').dayIn(zone)).toBe('2026-11-27');
    expect([read('2026-11').dayIn(zone), read('2026').dayIn(zone)]).toEqual([null, null]);
  });

  it.each(PLACES)('begins at midnight by the clocks at %s (%s)', (offset, zone) => {
    expect(read('2026-11-27').orderedAt(zone, NOW)).toEqual(new Date(`2026-11-27T00:00:00${offset}`));
    expect(read('2026-02').orderedAt(zone, NOW)).toEqual(new Date(`2026-02-01T00:00:00${offset}`));
  });

  it('is put in order by the present where it is still to come by the clocks of the organization', () => {
    expect(read('2026-11-30').orderedAt('America/New_York', NOW)).toEqual(NOW);
  });

  it('may have begun 14 hours before it does in UTC', () => {
    expect(read('2026-11-27').earliest).toEqual(new Date('2026-11-26T10:00:00Z'));
  });

  it.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-11-27', 'Europe/Berlin', 24],
  ])('%s in %s has %i hours', (day, zone, hours) => {
    const { low, high } = read(day).spanIn(zone);
    expect((high.getTime() - low.getTime()) / 3_600_000).toBe(hours);
  });
});

describe('a moment', () => {
  it.each(PLACES)('of 23:30 and of 00:30 at %s lies on the day of its sender, wherever it is read', (offset) => {
    for (const [, zone] of PLACES) {
      expect(read(`2026-11-27T23:30:00${offset}`).dayIn(zone)).toBe('2026-11-27');
      expect(read(`2026-11-28T00:30:00${offset}`).dayIn(zone)).toBe('2026-11-28');
    }
  });

  it.each([
    ['Pacific/Pago_Pago', '2026-11-27'],
    ['America/Los_Angeles', '2026-11-27'],
    ['Europe/London', '2026-11-28'],
    ['Australia/Brisbane', '2026-11-28'],
  ])('in UTC says nothing of its sender’s clocks: in %s it lies on %s', (zone, day) => {
    expect(read('2026-11-28T05:30:00Z').dayIn(zone)).toBe(day);
    expect(read('2026-11-28T05:30:00+00:00').dayIn(zone)).toBe('2026-11-28');
  });

  it.each([
    ['2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00'],
    ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'],
  ])('%s and %s are two, with an hour between them, of one day', (before, after) => {
    const [first, second] = [read(before), read(after)];
    expect(second.earliest.getTime() - first.earliest.getTime()).toBe(3_600_000);
    expect(second.isOnDayOf(first, 'Europe/Berlin')).toBe(true);
  });

  it('is the same in whichever zone it is written, and never the same as a day', () => {
    expect(read('2026-11-27T00:30:00+01:00').isSameAs(read('2026-11-26T23:30:00Z'))).toBe(true);
    expect(read('2026-11-27T00:00:00Z').isSameAs(read('2026-11-27'))).toBe(false);
    expect(read('2026-11-27').isSameAs(read('2026-11-27'))).toBe(true);
  });

  it('lies on the day of a photo by the clocks of that photo’s sender', () => {
    const photo = read('2026-11-27T20:30:00-08:00');
    expect(read('2026-11-28T04:35:00Z').isOnDayOf(photo, 'UTC')).toBe(true);
    expect(read('2026-11-27T07:30:00Z').isOnDayOf(photo, 'UTC')).toBe(false);
    expect(read('2026-11-27').isOnDayOf(photo, 'UTC')).toBe(true);
    expect(read('2026-11').isOnDayOf(photo, 'UTC')).toBe(false);
    expect(photo.isOnDayOf(read('2026-11'), 'UTC')).toBe(false);
  });
});
