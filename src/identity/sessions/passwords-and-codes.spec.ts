import { Argon2PasswordDigest } from './argon2-password-digest.js';
import { csrfTokenOf, readSessionCookie } from './session-cookie.js';
import { TotpCodes } from './totp-codes.js';

describe('passwords', () => {
  const digest = new Argon2PasswordDigest();

  it('are kept by argon2id, each with a salt of its own', async () => {
    const [one, two] = [await digest.make('seven suns'), await digest.make('seven suns')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect([await digest.fits(one, 'seven suns'), await digest.fits(one, 'seven moons')]).toEqual([true, false]);
  });

  it('of nobody fit nothing', async () => {
    expect(await digest.fits(null, '')).toBe(false);
  });

  it('are computed a few at a time, and refused beyond a queue', async () => {
    const kept = await digest.make('seven suns');
    const ends = await Promise.allSettled(Array.from({ length: 40 }, () => digest.fits(kept, 'seven suns')));
    const refused = ends
      .filter((end) => end.status === 'rejected')
      .map(({ reason }) => (reason as { code: string }).code);
    expect([ends.length - refused.length >= 20, new Set(refused)]).toEqual([true, new Set(['login.busy'])]);
    expect(await digest.fits(kept, 'seven suns')).toBe(true);
  });
});

describe('one-time codes', () => {
  const codes = new TotpCodes();
  /** RFC 6238, appendix B, the last six digits of the eight for SHA1. */
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %d s are those of the standard', (atS, code, step) => {
    expect(codes.stepOf(SECRET, code, new Date(atS * 1000))).toBe(step);
  });

  it('may be a step early or late, and no more', () => {
    const at = (s: number) => codes.stepOf(SECRET, '081804', new Date(s * 1000));
    expect([at(1_111_111_109 + 30), at(1_111_111_109 - 30)]).toEqual([37_037_036, 37_037_036]);
    expect([at(1_111_111_109 + 60), at(1_111_111_109 - 60)]).toEqual([null, null]);
  });

  it.each(['', '28708', '2870821', '28708a', '２８７０８２', '-87082'])('are six digits, not "%s"', (code) => {
    expect(codes.stepOf(SECRET, code, new Date(59_000))).toBeNull();
  });

  it('have secrets of 160 bits, and addresses that apps read', () => {
    const secret = codes.newSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(codes.newSecret()).not.toBe(secret);
    const address = new URL(codes.addressOf(secret, 'anna müller'));
    expect([address.protocol, address.searchParams.get('secret'), address.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      secret,
      'Sutura',
    ]);
  });
});

describe('the cookie of a session', () => {
  const read = (cookie: string | undefined, secure = false) =>
    readSessionCookie({ headers: cookie === undefined ? {} : { cookie } }, secure);

  it('is found among others, and not where there are two', () => {
    expect(read('a=b; sutura-session=x; c=d')).toBe('x');
    expect([read(undefined), read('a=b'), read('sutura-session=x; sutura-session=y')]).toEqual([null, null, null]);
  });

  it('is another one under https, so that no neighbour of the domain sets it', () => {
    expect([read('sutura-session=x', true), read('__Host-sutura-session=y', true)]).toEqual([null, 'y']);
    expect(read('__Host-sutura-session=y')).toBeNull();
  });

  it('has a token for changes that does not give it away', () => {
    expect(csrfTokenOf('x')).toMatch(/^[\w-]{43}$/);
    expect(csrfTokenOf('x')).not.toBe(csrfTokenOf('y'));
  });
});
