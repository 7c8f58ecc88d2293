import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startGateway, type Gateway, type SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const BUILT = resolve(__dirname, '../../../dist/web');
const FIRST_LOAD_BYTES = 250 * 1024;
const read = (name: string): string => readFileSync(resolve(BUILT, name), 'utf8');
const scriptsOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="\/web\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name!);

describe('the pages of the gateway', () => {
  let gateway: SharedGateway;
  let without: Gateway;

  beforeAll(async () => {
    [gateway, without] = await Promise.all([
      sharedGateway(),
      startGateway({ roles: 'api', env: { SUTURA_CONSOLE: 'off' } }),
    ]);
  });
  afterAll(() => without?.stop());

  const get = (path: string, headers: Record<string, string> = {}, from: SharedGateway = gateway) =>
    fetch(`${from.baseUrl}${path}`, { headers });

  it.each([
    '/web/assets/none.js',
    '/web/assets/..%2fconsole.html',
    '/web/assets/..%2f..%2f..%2fpackage.json',
    '/web/assets/%2e%2e%2fbuilt-from',
    '/web/assets/.hidden.js',
    `/web/assets/${'a'.repeat(200)}.js`,
    '/web/built-from',
    '/web/',
  ])('has nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it.each(['/console', '/console/messages', '/web/mark.svg'])('has no %s where it is switched off', async (path) => {
    expect((await get(path, {}, without)).status).toBe(404);
  });

  it('names the console at / only where there is one', async () => {
    const said = async (from: SharedGateway): Promise<[boolean, boolean]> => {
      const [page, json] = await Promise.all([get('/', { accept: 'text/html' }, from), get('/', {}, from)]);
      const { links } = (await json.json()) as { links: object };
      return [(await page.text()).includes('href="console"'), 'console' in links];
    };
    expect(await said(gateway)).toEqual([true, true]);
    expect(await said(without)).toEqual([false, false]);
  });

  it('lets a page load its own files alone, be in no frame, and be kept by no shared cache', async () => {
    const { status, headers } = await get('/console');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('is one page at each address below /console', async () => {
    const [first, deep] = await Promise.all([get('/console'), get('/console/search?q=A-1')]);
    expect(await deep.text()).toBe(await first.text());
  });

  it('serves each file that the page names, which a browser then keeps', async () => {
    const page = await (await get('/console')).text();
    const names = [...page.matchAll(/"(\/web\/[^"]+)"/g)].map(([, path]) => path!);
    expect(names.length).toBeGreaterThan(2);
    for (const path of names) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      if (path.includes('/assets/')) expect(answer.headers.get('cache-control')).toContain('immutable');
      const again = await get(path, { 'if-none-match': answer.headers.get('etag')! });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  it.each(['console.html', 'review.html'])('%s has no script or style of its own, and names no other host', (name) => {
    const page = read(name);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(page).not.toMatch(/(?:src|href)="(?!\/web\/)/);
  });

  it.each(['console.html', 'review.html'])('%s loads at most 250 KiB of packed script at first', (name) => {
    const bytes = scriptsOf(read(name)).map((script) => gzipSync(readFileSync(resolve(BUILT, script))).length);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  it('no script evaluates text or names an address of another host to load from', () => {
    for (const name of readdirSync(resolve(BUILT, 'assets')).filter((file) => file.endsWith('.js'))) {
      const script = read(`assets/${name}`);
      expect([name, /\beval\(|new Function\(/.test(script)]).toEqual([name, false]);
      expect([name, /fetch\(["'`]https?:|import\(["'`]https?:/.test(script)]).toEqual([name, false]);
    }
  });
});
