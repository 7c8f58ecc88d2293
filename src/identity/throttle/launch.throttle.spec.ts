import { performance } from 'node:perf_hooks';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { readSettings } from '../../platform/config/settings.js';
import { LaunchThrottle } from './launch.throttle.js';

// Nothing is given back while a test takes.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe('launches of EHRs', () => {
  const throttle = () => new LaunchThrottle(readSettings({ SUTURA_READS_PER_S: '1', SUTURA_READ_BURST: '3' }));
  const refusedOf = (of: LaunchThrottle, ehrId: string, browser: string | null, address: string, count: number) =>
    Array.from({ length: count }, () => {
      try {
        of.countLaunch(ehrId, browser, address);
        return 0;
      } catch (fault) {
        if (fault instanceof SuturaError && fault.code === 'rate.limited') return 1;
        throw fault;
      }
    }).reduce<number>((sum, one) => sum + one, 0);

  it('are slowed down in one browser, and with them nobody beside it at the same address', () => {
    const of = throttle();
    expect(refusedOf(of, 'e-1', 'a', '10.0.0.1', 10)).toBeGreaterThan(0);
    expect(refusedOf(of, 'e-1', 'b', '10.0.0.1', 3)).toBe(0);
    expect(refusedOf(of, 'e-1', null, '10.0.0.1', 20)).toBe(0);
  });

  it('that fail are told to wait, and are looked up no more once an address floods, at that address alone', () => {
    const of = throttle();
    const failure = new SuturaError('launch.unknown');
    const codes = Array.from({ length: 30 }, () => {
      of.requireTurn('10.0.0.1');
      return of.failed('10.0.0.1', failure).code;
    });
    expect(codes.slice(0, 4)).toEqual(['launch.unknown', 'launch.unknown', 'launch.unknown', 'rate.limited']);
    expect(() => of.requireTurn('10.0.0.1')).toThrow(expect.objectContaining({ code: 'rate.limited' }) as Error);
    expect(() => of.requireTurn('10.0.0.2')).not.toThrow();
    expect(of.failed('10.0.0.2', failure)).toBe(failure);
  });

  it('have an end at one address, for one EHR and not for another', () => {
    const of = throttle();
    expect(refusedOf(of, 'e-1', null, '10.0.0.1', 60)).toBeGreaterThan(0);
    expect(refusedOf(of, 'e-2', null, '10.0.0.1', 1)).toBe(0);
    expect(refusedOf(of, 'e-1', null, '10.0.0.2', 1)).toBe(0);
  });
});
