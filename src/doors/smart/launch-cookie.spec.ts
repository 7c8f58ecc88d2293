import { isInFrame, launchCookie, readLaunchCookie } from './launch-cookie.js';

const SECRET = 'a'.repeat(43);

describe('the cookie that binds a launch to its browser', () => {
  it('is kept apart within a frame, and is sent with a navigation of the EHR in a window', () => {
    const framed = launchCookie(SECRET, { secure: true, framed: true });
    expect(framed).toMatch(
      /^__Host-sutura-launch=a{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=None; Secure; Partitioned$/,
    );
    expect(launchCookie(SECRET, { secure: true, framed: false })).toMatch(/SameSite=Lax; Secure$/);
    expect(launchCookie(SECRET, { secure: false, framed: true })).toMatch(/^sutura-launch=.*SameSite=Lax$/);
  });

  it('is none where it is not one of ours, or there are two', () => {
    const read = (cookie?: string) =>
      readLaunchCookie({ headers: { ...(cookie === undefined ? {} : { cookie }) } }, true);
    expect(read(`__Host-sutura-launch=${SECRET}`)).toBe(SECRET);
    const held = [
      undefined,
      `sutura-launch=${SECRET}`,
      '__Host-sutura-launch=short',
      `__Host-sutura-launch=${SECRET}; __Host-sutura-launch=${SECRET}`,
    ];
    expect(held.map(read)).toEqual([null, null, null, null]);
  });

  it('goes by where the browser says that the page will stand', () => {
    expect(['iframe', 'document', undefined].map((dest) => isInFrame({ headers: { 'sec-fetch-dest': dest } }))).toEqual(
      [true, false, false],
    );
  });
});
