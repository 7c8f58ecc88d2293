import { requestIdOf } from './request-rules.hook.js';

describe('request ids', () => {
  it.each([undefined, '', 'a b', 'x'.repeat(129), 'ä', 'a\nb', '{}'])('does not take over %p', (given) => {
    expect(requestIdOf({ headers: given === undefined ? {} : { 'x-request-id': given } })).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7/,
    );
  });

  it('takes over a sane one', () => {
    expect(requestIdOf({ headers: { 'x-request-id': 'ehr-42:7.A_b' } })).toBe('ehr-42:7.A_b');
  });
});
