import { figureFormatOf, plainMinus } from './figure-format.js';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('figures', () => {
  it('keep the digits they carry, and have at least those of their kind', () => {
    const figures = figureFormatOf('en', 'UTC');
    expect(plain(figures.areaCm2(4))).toBe('4.00 cm²');
    expect(plain(figures.areaCm2(12.345))).toBe('12.345 cm²');
    expect(figures.percent(0.84)).toBe('0.84%');
    expect(figures.share(0.0012)).toBe('0.12%');
    expect(plain(figures.lengthAsGiven(4.5))).toBe('4.5 cm');
  });

  it('show no residue of binary arithmetic', () => {
    const figures = figureFormatOf('en', 'UTC');
    expect([0.583, 0.29, 0.07, 0.571, 0.001].map((share) => figures.share(share))).toEqual([
      '58.3%',
      '29.0%',
      '7.0%',
      '57.1%',
      '0.1%',
    ]);
    expect(figures.number(0.1 + 0.2)).toBe('0.3');
  });

  it('have a minus sign, and a hyphen again where a message has no such sign', () => {
    expect(figureFormatOf('de', 'UTC').signedPercent(-26.4)).toBe('\u221226,4\u00a0%');
    expect(plainMinus('\u221226,4')).toBe('-26,4');
  });

  it('have no hundredths of an area that is known to ten cm² or less well', () => {
    const figures = figureFormatOf('en', 'UTC');
    expect(figures.areaWithin({ value: 219.86, lower: 176, upper: 264 })).toBe('220\u00a0cm²');
    expect(figures.areaWithin({ value: 18.4, lower: 15.64, upper: 21.16 })).toBe('18.40\u00a0cm²');
  });

  it('show gain and loss by a sign, and nothing by none', () => {
    const figures = figureFormatOf('en', 'UTC');
    expect([-8.2, 8.2, 0, -0].map((value) => figures.signedPercent(value))).toEqual([
      '\u22128.2%',
      '+8.2%',
      '0.0%',
      '0.0%',
    ]);
  });

  it.each([
    ['en', '1234.50 cm²', '8.2%', '1 day', '3 Sept 2025, 23:59:09 UTC'],
    ['es', '1234,50 cm²', '8,2 %', '1 día', '3 sept 2025, 23:59:09 UTC'],
    ['de', '1234,50 cm²', '8,2 %', '1 Tag', '3. Sept. 2025, 23:59:09 UTC'],
    ['fr', '1234,50 cm²', '8,2 %', '1 jour', '3 sept. 2025, 23:59:09 UTC'],
  ] as const)('are written as in %s', (language, area, percent, day, moment) => {
    const figures = figureFormatOf(language, 'UTC');
    const written = [
      figures.areaCm2(1234.5),
      figures.percent(8.2),
      figures.days(1),
      figures.moment('2025-09-04T01:59:09+02:00'),
    ];
    expect(written.map(plain)).toEqual([area, percent, day, moment]);
  });

  it.each([
    ['en', '4 Sept 2025, 01:59:09 CEST', '1 Dec 2025, 09:00:00 CET'],
    ['es', '4 sept 2025, 01:59:09 CEST', '1 dic 2025, 09:00:00 CET'],
    ['de', '4. Sept. 2025, 01:59:09 MESZ', '1. Dez. 2025, 09:00:00 MEZ'],
    ['fr', '4 sept. 2025, 01:59:09 UTC+2', '1 déc. 2025, 09:00:00 UTC+1'],
  ] as const)('are of the zone they are printed for, summer time and all, in %s', (language, summer, winter) => {
    const figures = figureFormatOf(language, 'Europe/Berlin');
    expect(['2025-09-03T23:59:09Z', '2025-12-01T08:00:00Z'].map((moment) => plain(figures.moment(moment)))).toEqual([
      summer,
      winter,
    ]);
    expect(plain(figures.day('2025-09-03T23:59:09Z'))).toBe(summer.split(',')[0]);
  });

  it('inflect the days', () => {
    expect(plain(figureFormatOf('de', 'UTC').inDays(7))).toBe('in 7 Tagen');
    expect(plain(figureFormatOf('de', 'UTC').days(7))).toBe('7 Tage');
    expect(plain(figureFormatOf('en', 'UTC').days(6.9))).toBe('6.9 days');
  });

  it('tell apart two moments of one second less, a leap day and the hour of a clock change', () => {
    const figures = figureFormatOf('en', 'UTC');
    expect(figures.moment('2028-02-29T23:59:59Z')).toContain('29\u00a0Feb\u00a02028');
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham']) {
      const local = figureFormatOf('en', zone);
      expect(local.moment('2025-10-26T00:30:00Z')).not.toBe(local.moment('2025-10-26T01:30:00Z'));
    }
  });
});

describe('the time of a photo', () => {
  const ZONES = [
    'Pacific/Pago_Pago',
    'America/Los_Angeles',
    'America/New_York',
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
  ];

  it.each([...ZONES, 'Australia/Brisbane', 'Pacific/Kiritimati'])('is in %s no more than was stated of it', (zone) => {
    const figures = figureFormatOf('en', zone);
    const of = (capturedAsStated: string) => {
      const photo = { capturedAt: '2026-11-27T00:00:00.000Z', capturedAsStated };
      return [figures.captured(photo), figures.capturedDay(photo)].map(plain);
    };
    expect([of('2026-11-27'), of('2026-11'), of('2026')]).toEqual([
      ['27 Nov 2026', '27 Nov 2026'],
      ['Nov 2026', 'Nov 2026'],
      ['2026', '2026'],
    ]);
  });

  it.each([
    ['en', 'Nov 2026'],
    ['de', 'Nov. 2026'],
    ['fr', 'nov. 2026'],
    ['es', 'nov 2026'],
  ] as const)('of a month has its name in %s', (language, month) => {
    expect(plain(figureFormatOf(language, 'UTC').partialDate('2026-11'))).toBe(month);
  });

  it('with its hour is that of the zone of the document', () => {
    const photo = { capturedAt: '2026-11-28T04:30:00.000Z', capturedAsStated: '2026-11-27T20:30:00-08:00' };
    expect(plain(figureFormatOf('en', 'America/New_York').captured(photo))).toContain('27 Nov 2026, 23:30:00');
    expect(plain(figureFormatOf('en', 'UTC').capturedDay(photo))).toBe('28 Nov 2026');
  });
});
