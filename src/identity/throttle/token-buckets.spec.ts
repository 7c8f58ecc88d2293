import { performance } from 'node:perf_hooks';
import { FailedLoginThrottle } from './failed-login.throttle.js';
import { ReadThrottle } from './read.throttle.js';
import { WriteThrottle } from './write.throttle.js';
import { TokenBuckets } from './token-buckets.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { readSettings } from '../../platform/config/settings.js';

describe('a token bucket', () => {
  let nowMs = 0;
  const buckets = (most?: number) => new TokenBuckets({ perSecond: 20, burst: 60 }, () => nowMs, most);
  const hits = (of: TokenBuckets, key: string, count: number) =>
    Array.from({ length: count }, () => of.take(key)).filter((waitS) => waitS === 0).length;

  beforeEach(() => {
    nowMs = 0;
  });

  test('refuses what goes beyond the burst and says how long to wait, at least a second', () => {
    const bucket = buckets();
    expect(hits(bucket, 'a', 100)).toBe(60);
    expect(bucket.take('a')).toBe(1);
  });

  test('never tells anyone to wait longer than a minute', () => {
    const slow = new TokenBuckets({ perSecond: 0.001, burst: 1 }, () => nowMs);
    slow.take('a');
    expect(slow.take('a')).toBe(60);
  });

  test('fills again at its rate, up to the burst', () => {
    const bucket = buckets();
    hits(bucket, 'a', 60);
    nowMs += 500;
    expect(hits(bucket, 'a', 100)).toBe(10);
    nowMs += 3_600_000;
    expect(hits(bucket, 'a', 100)).toBe(60);
  });

  test('counts every key by itself', () => {
    const bucket = buckets();
    hits(bucket, 'a', 60);
    expect(hits(bucket, 'b', 60)).toBe(60);
  });

  test('keeps no more buckets than allowed and drops the longest unused', () => {
    const bucket = buckets(3);
    hits(bucket, 'busy', 60);
    for (const key of ['b', 'c', 'd', 'e']) {
      bucket.take(key);
      bucket.take('busy');
    }
    expect(bucket.size).toBe(3);
    expect(bucket.take('busy')).toBe(1);
  });
});

test('the 61st read at once of one key is refused with Retry-After', () => {
  // At once, however long it takes here.
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const throttle = new ReadThrottle(readSettings({}));
  for (let read = 0; read < 60; read += 1) throttle.countRead('a');
  expect(() => throttle.countRead('a')).toThrow(
    expect.objectContaining({ code: 'rate.limited', facts: { retryAfterS: 1 } }) as Error,
  );
  expect(() => throttle.countRead('b')).not.toThrow();
  now.mockRestore();
});

describe('writes', () => {
  const throttle = () =>
    new WriteThrottle(
      readSettings({
        SUTURA_WRITES_PER_S: '1',
        SUTURA_WRITE_BURST: '3',
        SUTURA_ORGANIZATION_WRITES_PER_S: '1',
        SUTURA_ORGANIZATION_WRITE_BURST: '5',
      }),
    );
  const refusedOf = (of: WriteThrottle, keyId: string, organizationId: string, count: number) =>
    Array.from({ length: count }, () => {
      try {
        return void of.countWrite({ keyId, organizationId });
      } catch (fault) {
        return (fault as SuturaError).code;
      }
    }).filter((code) => code === 'rate.limited').length;

  test('beyond the burst of a key are refused with Retry-After, and those of another key are not', () => {
    const of = throttle();
    expect(refusedOf(of, 'a', 'o', 5)).toBe(2);
    expect(() => of.countWrite({ keyId: 'a', organizationId: 'o' })).toThrow(
      expect.objectContaining({
        code: 'rate.limited',
        facts: expect.objectContaining({ retryAfterS: 1 }) as object,
      }) as Error,
    );
    expect(refusedOf(of, 'b', 'o', 2)).toBe(0);
  });

  test('beyond the burst of an organization are refused whichever of its keys sends them, and those of another organization are not', () => {
    const of = throttle();
    expect(refusedOf(of, 'a', 'o', 3) + refusedOf(of, 'b', 'o', 2)).toBe(0);
    expect(refusedOf(of, 'c', 'o', 1)).toBe(1);
    expect(refusedOf(of, 'd', 'p', 3)).toBe(0);
  });
});

test('after 20 failures from one address in a minute the next one is told to slow down, and no other address', () => {
  const throttle = new FailedLoginThrottle();
  const codes = Array.from(
    { length: 21 },
    () => throttle.throttledFault('192.0.2.1', new SuturaError('auth.invalid')).code,
  );
  expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'auth.invalid'));
  expect(codes[20]).toBe('rate.limited');
  expect(throttle.throttledFault('192.0.2.2', new SuturaError('auth.invalid')).code).toBe('auth.invalid');
});
