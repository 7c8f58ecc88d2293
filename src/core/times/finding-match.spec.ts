import { ClinicalTime } from './clinical-time.js';
import { isFindingOf, type TimedPhoto } from './finding-match.js';

const photo = (text: string, id = text): TimedPhoto => ({ id, takenAt: ClinicalTime.read(text)! });
const belongs = (finding: string, to: string, others: readonly string[] = [], zone = 'UTC'): boolean =>
  isFindingOf(
    ClinicalTime.read(finding)!,
    photo(to),
    others.map((one) => photo(one)),
    zone,
  );

describe('a finding belongs to no photo', () => {
  it.each([
    ['made the evening before last', '2026-11-17T17:00:00-08:00', '2026-11-18T20:30:00-08:00'],
    ['more than 12 hours before it', '2026-11-18T08:29:59-08:00', '2026-11-18T20:30:00-08:00'],
    ['more than 12 hours after it', '2026-11-19T08:30:01-08:00', '2026-11-18T20:30:00-08:00'],
    ['noted for the day before', '2026-11-17', '2026-11-18T00:30:00+10:00'],
    ['noted for the day after, which had begun in UTC', '2026-11-19', '2026-11-18T20:30:00-08:00'],
    ['noted for a month', '2026-11', '2026-11-18T20:30:00-08:00'],
    ['of a moment of another day than the photo’s', '2026-11-17T23:59:00+01:00', '2026-11-18'],
  ])('%s', (_, finding, taken) => expect(belongs(finding, taken, [], 'Europe/Berlin')).toBe(false));

  it('where another photo of the wound is nearer', () => {
    const [morning, evening] = ['2026-11-18T08:00:00+01:00', '2026-11-18T18:00:00+01:00'];
    expect(belongs('2026-11-18T14:00:00+01:00', morning, [evening])).toBe(false);
    expect(belongs('2026-11-18T14:00:00+01:00', evening, [morning])).toBe(true);
  });
});

describe('a finding belongs to a photo', () => {
  const OFFSETS = ['-11:00', '-08:00', '-05:00', '+00:00', '+01:00', '+05:30', '+10:00', '+14:00'];

  it.each(OFFSETS)('that was taken five minutes before it at %s, around midnight and in the evening', (offset) => {
    for (const [taken, found] of [
      ['2026-11-18T20:30:00', '2026-11-18T20:35:00'],
      ['2026-11-18T23:58:00', '2026-11-19T00:03:00'],
      ['2026-11-18T00:01:00', '2026-11-17T23:56:00'],
    ])
      expect(belongs(`${found}${offset}`, `${taken}${offset}`)).toBe(true);
  });

  it.each(OFFSETS)('of the same day at %s, where it is noted for that day', (offset) => {
    for (const hour of ['00:00:30', '12:00:00', '23:59:30'])
      expect([
        belongs('2026-11-18', `2026-11-18T${hour}${offset}`),
        belongs('2026-11-17', `2026-11-18T${hour}${offset}`),
        belongs('2026-11-19', `2026-11-18T${hour}${offset}`),
      ]).toEqual([true, false, false]);
  });

  it('by the clocks of the organization, where the photo has none of its own', () => {
    expect(belongs('2026-11-17', '2026-11-18T04:30:00Z', [], 'America/Los_Angeles')).toBe(true);
    expect(belongs('2026-11-18', '2026-11-18T04:30:00Z', [], 'America/Los_Angeles')).toBe(false);
    expect(belongs('2026-11-18', '2026-11-18T04:30:00Z', [], 'Europe/Berlin')).toBe(true);
  });

  it('just 12 hours away, in the hours of summer time too', () => {
    expect(belongs('2026-03-29T09:00:00+02:00', '2026-03-28T20:00:00+01:00')).toBe(true);
    expect(belongs('2026-03-29T09:00:00+02:00', '2026-03-28T19:59:59+01:00')).toBe(false);
    expect(belongs('2026-10-25T08:00:00+01:00', '2026-10-24T21:00:00+02:00')).toBe(true);
  });

  it('of whose day alone is known, by the finding’s own clocks', () => {
    expect(belongs('2026-11-18T23:59:00-08:00', '2026-11-18', [], 'Europe/Berlin')).toBe(true);
  });

  it('beside another of the same moment, and the earlier of two that are equally near', () => {
    const taken = '2026-11-18T10:00:00Z';
    const finding = ClinicalTime.read('2026-11-18T10:05:00Z')!;
    expect(isFindingOf(finding, photo(taken, 'a'), [photo(taken, 'b')], 'UTC')).toBe(true);
    expect(belongs('2026-11-18T11:00:00Z', '2026-11-18T10:00:00Z', ['2026-11-18T12:00:00Z'])).toBe(true);
    expect(belongs('2026-11-18T11:00:00Z', '2026-11-18T12:00:00Z', ['2026-11-18T10:00:00Z'])).toBe(false);
  });
});
