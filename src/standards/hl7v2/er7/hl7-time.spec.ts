import { formatCaptured, formatStated, formatTime, isStandardTime, knownPartOf, parseTime } from './hl7-time.js';

const BERLIN = 'Europe/Berlin';

test.each([
  ['19510700', '1951-07'],
  ['195107000000', '1951-07'],
  ['19510000', '1951'],
  ['195100', '1951'],
  ['19510000000000+0100', '1951'],
  ['00000000', ''],
  ['0000', ''],
  ['19510714', null],
  ['19510700000001', null],
  ['19511300', null],
  ['1951', null],
  ['195107', null],
  ['', null],
  ['unknown', null],
])('of the date %p, %p is known', (text, known) => expect(knownPartOf(text)).toBe(known));

describe('times of HL7', () => {
  it.each([
    '',
    '202',
    '20261',
    '2026-03-15',
    '20261301',
    '20260230',
    '20250229',
    '00000101',
    '20260300',
    '2026031524',
    '202603151060',
    '20260315094060',
    '20260315094003.',
    '20260315094003.1234567890',
    '20260315094003ZZ',
    '20260315094003+01:60',
    '20260315094003+0100Z',
    '20260315094003+1',
    '20260315094003+0160',
    '20260315094003+1500',
    ' 20260315',
    '20260315 ',
    '٢٠٢٦',
  ])('takes %p for no time', (text) => expect(parseTime(text, BERLIN)).toBeNull());

  it.each([
    ['2026', 'year', '2026'],
    ['202603', 'month', '2026-03'],
    ['20260315', 'day', '2026-03-15'],
    ['20260315+0100', 'day', '2026-03-15'],
    ['20240229', 'day', '2024-02-29'],
  ])('keeps %s as precise as it is, without a time of day', (text, precision, dateTime) => {
    expect(parseTime(text, BERLIN)).toEqual({ precision, dateTime, instant: null });
  });

  it.each([
    ['2026031509', 'hour', '2026-03-15T09:00:00+01:00', '2026-03-15T08:00:00.000Z'],
    ['202603150940', 'minute', '2026-03-15T09:40:00+01:00', '2026-03-15T08:40:00.000Z'],
    ['20260315094003', 'second', '2026-03-15T09:40:03+01:00', '2026-03-15T08:40:03.000Z'],
    ['20260715094003', 'second', '2026-07-15T09:40:03+02:00', '2026-07-15T07:40:03.000Z'],
    ['20260315094003.1234-0330', 'fraction', '2026-03-15T09:40:03.1234-03:30', '2026-03-15T13:10:03.123Z'],
    ['20260315094003.5+0000', 'fraction', '2026-03-15T09:40:03.5+00:00', '2026-03-15T09:40:03.500Z'],
    ['202603150940-0000', 'minute', '2026-03-15T09:40:00+00:00', '2026-03-15T09:40:00.000Z'],
    ['20260315094003.12345+0000', 'fraction', '2026-03-15T09:40:03.12345+00:00', '2026-03-15T09:40:03.123Z'],
    ['20260315094003.1234567', 'fraction', '2026-03-15T09:40:03.1234567+01:00', '2026-03-15T08:40:03.123Z'],
    ['20260315094003Z', 'second', '2026-03-15T09:40:03+00:00', '2026-03-15T09:40:03.000Z'],
    ['20260315094003-03:30', 'second', '2026-03-15T09:40:03-03:30', '2026-03-15T13:10:03.000Z'],
  ])('reads %s with its own zone, else the source’s', (text, precision, dateTime, instant) => {
    expect(parseTime(text, BERLIN)).toEqual({ precision, dateTime, instant: new Date(instant) });
  });

  it.each(['20260315094003.12345', '20260315094003Z', '20260315094003+01:00'])(
    'tells that HL7 writes %s otherwise',
    (text) => expect(isStandardTime(text)).toBe(false),
  );

  it.each(['2026', '20260315094003.1234-0330', '202603150940+0100'])('tells that HL7 writes %s so', (text) =>
    expect(isStandardTime(text)).toBe(true),
  );

  it.each([
    ['skipped', '20260329023000', BERLIN, '2026-03-29T02:30:00+01:00'],
    ['the first of two', '20261025023000', BERLIN, '2026-10-25T02:30:00+02:00'],
    ['right before the change', '20260329015959', BERLIN, '2026-03-29T01:59:59+01:00'],
    ['right after the change', '20260329030000', BERLIN, '2026-03-29T03:00:00+02:00'],
    ['after the second of two', '20261025030000', BERLIN, '2026-10-25T03:00:00+01:00'],
    ['of a half-hour zone', '20260315094003', 'Asia/Kolkata', '2026-03-15T09:40:03+05:30'],
    ['west of UTC', '20260315000000', 'America/New_York', '2026-03-15T00:00:00-04:00'],
  ])('reads an hour that is %s', (_name, text, zone, dateTime) => {
    const time = parseTime(text, zone);
    expect(time?.dateTime).toBe(dateTime);
    expect(time?.instant).toEqual(new Date(dateTime));
  });

  it('writes an instant as the clocks of a zone show it', () => {
    const instant = new Date('2026-03-15T23:30:05.678Z');
    expect([BERLIN, 'UTC', 'America/St_Johns'].map((zone) => formatTime(instant, zone))).toEqual([
      '20260316003005+0100',
      '20260315233005+0000',
      '20260315210005-0230',
    ]);
  });

  it('reads back what it wrote', () => {
    for (let day = 0; day < 366; day += 1) {
      const instant = new Date(Date.UTC(2026, 0, 1, 0, 30) + day * 86_400_000);
      expect(parseTime(formatTime(instant, BERLIN), 'Asia/Tokyo')?.instant).toEqual(instant);
    }
  });
});

describe('the time of a photo as it goes out', () => {
  const PLACES = [
    ['Pacific/Pago_Pago', '20261127130000-1100'],
    ['America/Los_Angeles', '20261127160000-0800'],
    ['America/New_York', '20261127190000-0500'],
    ['UTC', '20261128000000+0000'],
    ['Europe/Berlin', '20261128010000+0100'],
    ['Asia/Kolkata', '20261128053000+0530'],
    ['Australia/Brisbane', '20261128100000+1000'],
    ['Pacific/Kiritimati', '20261128140000+1400'],
  ] as const;
  const MIDNIGHT = new Date('2026-11-28T00:00:00Z');

  it.each(PLACES)(
    'to %s is the day, month or year that came in, and its moment only where one was stated',
    (zone, moment) => {
      expect(
        ['2026-11-28', '2026-11', '2026', '2026-11-28T00:00:00Z', null, undefined].map((stated) =>
          formatCaptured(MIDNIGHT, stated, zone),
        ),
      ).toEqual(['20261128', '202611', '2026', moment, moment, moment]);
    },
  );

  it.each(PLACES)('comes back from %s as the day that it went out as', (zone) => {
    const out = formatCaptured(MIDNIGHT, parseTime('20261127', zone)!.dateTime, zone);
    expect(out).toBe('20261127');
  });

  it.each([
    ['20260329013000', '2026-03-29T01:30:00+01:00'],
    ['20260329023000', '2026-03-29T02:30:00+01:00'],
    ['20261025013000', '2026-10-25T01:30:00+02:00'],
    ['20261025023000', '2026-10-25T02:30:00+02:00'],
    ['20261025023000+0100', '2026-10-25T02:30:00+01:00'],
  ])('%s in the hours of summer time is the moment %s', (text, dateTime) => {
    expect(parseTime(text, BERLIN)!.instant).toEqual(new Date(dateTime));
    expect(formatStated(parseTime(text, BERLIN)!.dateTime, 'UTC')).toBe(formatTime(new Date(dateTime), 'UTC'));
  });
});
