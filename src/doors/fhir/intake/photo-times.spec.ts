import { momentOf, refuseFuture } from './photo-times.js';

const NOW = new Date('2026-03-15T10:00:00Z');

describe('the time of a photo', () => {
  it.each([
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-15', '2026-03-15T00:00:00.000Z'],
    ['2026-03-16', '2026-03-15T10:00:00.000Z'],
  ])('%s is the moment %s, a leap second too', (text, moment) => {
    expect(momentOf(text, NOW)?.toISOString()).toBe(moment);
  });

  it.each(['2026', '2026-03', '2026-02-30T10:00:00Z', 'soon'])('%s says too little, or nothing', (text) => {
    expect(momentOf(text, NOW)).toBeNull();
  });

  it('is refused where it is to come, in a leap second too', () => {
    const photo = {
      resourceType: 'Media',
      status: 'completed',
      content: {},
      createdDateTime: '2031-12-31T23:59:60Z',
    } as const;
    expect(() => refuseFuture(photo, NOW)).toThrow(expect.objectContaining({ code: 'capture.future' }));
  });
});
