import { figureFormatOf } from './figure-format.js';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('figures', () => {
  it('keep the digits they carry, and have at least those of their kind', () => {
    const figures = figureFormatOf('en');
    expect(plain(figures.areaCm2(4))).toBe('4.00 cm²');
    expect(plain(figures.areaCm2(12.345))).toBe('12.345 cm²');
    expect(figures.percent(0.84)).toBe('0.84%');
    expect(figures.share(0.0012)).toBe('0.12%');
    expect(plain(figures.lengthAsGiven(4.5))).toBe('4.5 cm');
  });

  it('show no residue of binary arithmetic', () => {
    const figures = figureFormatOf('en');
    expect([0.583, 0.29, 0.07, 0.571, 0.001].map((share) => figures.share(share))).toEqual([
      '58.3%',
      '29.0%',
      '7.0%',
      '57.1%',
      '0.1%',
    ]);
    expect(figures.number(0.1 + 0.2)).toBe('0.3');
  });

  it('show gain and loss by a sign, and nothing by none', () => {
    const figures = figureFormatOf('en');
    expect([-8.2, 8.2, 0, -0].map((value) => figures.signedPercent(value))).toEqual(['-8.2%', '+8.2%', '0.0%', '0.0%']);
  });

  it.each([
    ['en', '1234.50 cm²', '8.2%', '1 day', '3 Sept 2025, 23:59:09 UTC'],
    ['es', '1234,50 cm²', '8,2 %', '1 día', '3 sept 2025, 23:59:09 UTC'],
    ['de', '1234,50 cm²', '8,2 %', '1 Tag', '3. Sept. 2025, 23:59:09 UTC'],
    ['fr', '1234,50 cm²', '8,2 %', '1 jour', '3 sept. 2025, 23:59:09 UTC'],
  ] as const)('are written as in %s', (language, area, percent, day, moment) => {
    const figures = figureFormatOf(language);
    const written = [
      figures.areaCm2(1234.5),
      figures.percent(8.2),
      figures.days(1),
      figures.moment('2025-09-04T01:59:09+02:00'),
    ];
    expect(written.map(plain)).toEqual([area, percent, day, moment]);
  });

  it('inflect the days', () => {
    expect(plain(figureFormatOf('de').inDays(7))).toBe('in 7 Tagen');
    expect(plain(figureFormatOf('de').days(7))).toBe('7 Tage');
    expect(plain(figureFormatOf('en').days(6.9))).toBe('6.9 days');
  });

  it('tell apart two moments of one second less, a leap day and the hour of a clock change', () => {
    const figures = figureFormatOf('en');
    expect(figures.moment('2028-02-29T23:59:59Z')).toContain('29\u00a0Feb\u00a02028');
    expect(figures.moment('2025-10-26T00:30:00Z')).not.toBe(figures.moment('2025-10-26T01:30:00Z'));
  });
});
