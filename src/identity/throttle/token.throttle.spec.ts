import { performance } from 'node:perf_hooks';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { TokenThrottle } from './token.throttle.js';

/** How many of these requests are refused, each with a time to wait. */
function refusedOf(throttle: TokenThrottle, addresses: readonly string[]): number {
  let refused = 0;
  for (const address of addresses) {
    try {
      throttle.countRequest(address);
    } catch (fault) {
      if (!isSuturaError(fault, 'rate.limited')) throw fault;
      expect(fault.facts.retryAfterS).toBeGreaterThanOrEqual(1);
      refused += 1;
    }
  }
  return refused;
}

// Nothing is given back while a test takes.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe('the throttle of token requests', () => {
  it('refuses one address after twenty at once, and no other', () => {
    const throttle = new TokenThrottle();
    expect(refusedOf(throttle, Array<string>(30).fill('192.0.2.1'))).toBe(10);
    expect(refusedOf(throttle, ['192.0.2.2'])).toBe(0);
  });

  it('refuses a flood from many addresses after two hundred at once', () => {
    const throttle = new TokenThrottle();
    const addresses = Array.from({ length: 400 }, (_, at) => `203.0.113.${at}`);
    expect(refusedOf(throttle, addresses.slice(0, 200))).toBe(0);
    expect(refusedOf(throttle, addresses.slice(200))).toBe(200);
  });
});
