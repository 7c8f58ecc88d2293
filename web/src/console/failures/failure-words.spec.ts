import { doneInWords, placeOf } from './failure-words.js';

const SHOWN = { from: '2026-03-14T08:00:00.000Z', to: '2026-03-15T08:00:00.000Z' };
const group = {
  kind: 'message' as const,
  organizationId: 'o1',
  environment: 'live' as const,
  subjectId: 'l1',
  cause: 'order.unknown',
  examples: ['m1', 'm0'],
};
const query = (path: string) => Object.fromEntries(new URL(path, 'http://any').searchParams);

describe('failures of one cause', () => {
  it('are listed by their cause, connection and range of time', () => {
    expect(query(placeOf(group, SHOWN))).toEqual({
      direction: 'in',
      organizationId: 'o1',
      environment: 'live',
      listenerId: 'l1',
      state: 'failed',
      error: 'order.unknown',
      ...SHOWN,
    });
    expect(query(placeOf({ ...group, cause: 'hl7.sealed' }, SHOWN))).toMatchObject({ state: 'sealed' });
    expect(query(placeOf({ ...group, cause: 'hl7.sealed' }, SHOWN))['error']).toBeUndefined();
    expect(query(placeOf({ ...group, kind: 'hl7' }, SHOWN))).toMatchObject({ direction: 'out', destinationId: 'l1' });
    expect(placeOf({ ...group, kind: 'webhook' }, SHOWN)).toMatch(/^\/deliveries\?.*endpointId=l1&state=parked$/);
    expect(placeOf({ ...group, kind: 'job', subjectId: null }, SHOWN)).toBe('/search?q=m1');
  });

  it('that were done again are counted; those that are left as they are are told by their codes', () => {
    expect(doneInWords(1, [])).toBe('1 is being done again.');
    expect(doneInWords(12, [{ code: 'hl7.erased' }, { code: 'hl7.in_progress' }, { code: 'hl7.erased' }])).toBe(
      '12 are being done again. 3 are left as they are: 2 × hl7.erased, 1 × hl7.in_progress.',
    );
    expect(doneInWords(0, [{ code: 'hl7.erased' }])).toBe(
      '0 are being done again. 1 is left as it is: 1 × hl7.erased.',
    );
  });
});
