import { refuseFuture } from './photo-times.js';

const NOW = new Date('2026-03-15T10:00:00Z');

describe('the time of a photo', () => {
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
