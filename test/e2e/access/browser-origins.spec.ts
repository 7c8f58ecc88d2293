import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const PAGE = 'https://origins-of-this-file.example.org';
const LOCAL = 'http://localhost:45173';
/** As browsers say it, over TLS and on localhost. */
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };

describe('pages of other origins that call the service', () => {
  let gateway: SharedGateway;
  let opted: string;
  let key: string;
  let otherKey: string;
  let liveKey: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    opted = await gateway.createOrganization();
    ({ key } = await gateway.createKey(opted));
    ({ key: liveKey } = await gateway.createKey(opted, 'live', ['analysis:read']));
    ({ key: otherKey } = await gateway.createKey(await gateway.createOrganization()));
  });

  const preflight = (origin: string, path = '/api/v1/analysis/jobs', method = 'POST'): Promise<Answer> =>
    send('OPTIONS', path.startsWith('http') ? path : `${gateway.baseUrl}${path}`, {
      headers: {
        origin,
        ...CROSS_SITE,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      },
    });
  const ask = (origin: string, withKey: string | null = key, headers: Record<string, string> = {}): Promise<Answer> =>
    send('GET', `${gateway.baseUrl}/api/v1/usage`, { key: withKey, headers: { origin, ...CROSS_SITE, ...headers } });
  const change = async (browserOrigins: readonly string[]): Promise<void> =>
    void expectStatus(200, await gateway.admin('PATCH', `/organizations/${opted}`, { browserOrigins }));
  const optIn = async (): Promise<void> => {
    await change([PAGE, LOCAL]);
    await eventually('the origin is known', async () => (await preflight(PAGE)).status === 204);
  };

  it('are not answered before an organization asked for it, with any key', async () => {
    const refused = await preflight(PAGE);
    expect([refused.status >= 400, refused.headers.get('access-control-allow-origin')]).toEqual([true, null]);
    const answer = await ask(PAGE);
    expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([
      403,
      'auth.origin',
      null,
    ]);
  });

  it('are told by name what they may send and read, never as everybody and never with cookies', async () => {
    await optIn();
    const { status, headers, bytes } = await preflight(PAGE);
    expect([status, bytes.length, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
      204,
      0,
      PAGE,
      'origin',
    ]);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
    for (const other of ['https://evil.example.org', `${PAGE}.evil.example`, 'null', 'http://localhost:45174'])
      expect([other, (await preflight(other)).headers.get('access-control-allow-origin')]).toEqual([other, null]);
  });

  it('may call the native API and the upload address alone', async () => {
    for (const path of ['/fhir/Patient', '/admin/v1/organizations', '/hl7v2/messages', '/auth/token', '/'])
      expect([path, (await preflight(PAGE, path)).headers.get('access-control-allow-origin')]).toEqual([path, null]);
  });

  it('are refused with the key of an organization that has not asked for it, which they can read, and is written down', async () => {
    const answer = await ask(PAGE, otherKey);
    expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([
      403,
      'auth.origin',
      PAGE,
    ]);
    await eventually('a row of the refusal', async () => {
      const sql = `select 1 from audit_events where refusal = 'auth.origin' and organization_id = $1`;
      return (await queryDatabase(gateway.databaseUrl, sql, [opted])).length > 0;
    });
  });

  it('are refused without a key as everybody is, and are told why', async () => {
    const answer = await ask(PAGE, null);
    expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'auth.missing',
      PAGE,
    ]);
  });

  it('get live data on no machine of a developer', async () => {
    expect((await ask(LOCAL)).status).toBe(200);
    expect((await ask(LOCAL, liveKey)).body.code).toBe('auth.origin');
    expect((await ask(PAGE, liveKey)).status).toBe(200);
  });

  it('read the headers that callers need', async () => {
    const { status, headers } = await ask(PAGE);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect(headers.get('access-control-expose-headers')).toMatch(/etag.*ratelimit.*retry-after.*x-request-id/);
  });

  it('read every refusal, also those before a route', async () => {
    const call = (method: string, path: string, options: Parameters<typeof send>[2] = {}): Promise<Answer> =>
      send(method, `${gateway.baseUrl}${path}`, {
        key,
        ...options,
        headers: { origin: PAGE, ...CROSS_SITE, ...options.headers },
      });
    const refusals = [
      await call('GET', '/api/v1/nothing'),
      await call('DELETE', '/api/v1/usage'),
      await call('GET', '/api/v1/reports/%zz'),
      await call('GET', `/api/v1/usage?${'x'.repeat(9000)}`),
      await call('POST', '/api/v1/analysis/jobs', { json: { clinicalContext: 'x'.repeat(300_000) } }),
      await call('POST', '/api/v1/analysis/jobs', { bytes: Buffer.from('{}'), headers: { 'content-encoding': 'br' } }),
      await call('GET', '/api/v1/usage', { headers: { 'content-range': 'bytes 0-1/2' } }),
    ];
    expect(
      refusals.map(({ status, headers }) => [
        status,
        headers.get('access-control-allow-origin'),
        headers.has('x-request-id'),
      ]),
    ).toEqual([404, 405, 400, 414, 413, 415, 400].map((status) => [status, PAGE, true]));
  });

  it('are told that nobody knows them where the browser says nothing of them, as without TLS', async () => {
    const answer = await send('OPTIONS', `${gateway.baseUrl}/api/v1/usage`, {
      headers: { origin: PAGE, 'access-control-request-method': 'GET' },
    });
    expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([
      403,
      'auth.origin',
      null,
    ]);
    expect(answer.body.detail).toMatch(/only over https and to localhost/);
  });

  it('are not our own pages, whatever stands before us', async () => {
    expect((await ask('https://another.example.org', otherKey, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await ask(gateway.baseUrl, otherKey)).status).toBe(403);
  });

  it('are not servers that pass on an origin, whoever named it', async () => {
    for (const origin of [PAGE, 'https://named-by-nobody.example.org']) {
      const answer = await send('GET', `${gateway.baseUrl}/api/v1/usage`, { key: otherKey, headers: { origin } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    }
  });

  it('upload straight to a signed address of their organization, and of no other', async () => {
    const photo = await drawSmallWoundPhoto();
    const ticketOf = async (owner: string): Promise<Answer['body']> =>
      expectStatus(201, await send('POST', `${gateway.baseUrl}/api/v1/images/upload-url`, { key: owner, json: {} }))
        .body;
    const [own, other] = [await ticketOf(key), await ticketOf(otherKey)];
    const put = (url: string): Promise<Answer> =>
      send('PUT', url, { bytes: photo, headers: { origin: PAGE, ...CROSS_SITE } });
    expect((await preflight(PAGE, own.uploadUrl, 'PUT')).status).toBe(204);
    expect((await put(other.uploadUrl)).body.code).toBe('auth.origin');
    const stored = await put(own.uploadUrl);
    expect([stored.status, stored.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    // What a page may not, a server may: it states no origin.
    expect((await send('PUT', other.uploadUrl, { bytes: photo })).status).toBe(200);
  });

  it('are shut out again within five seconds', async () => {
    await change([]);
    await eventually('refused again', async () => (await ask(PAGE)).body?.code === 'auth.origin', 6000);
  });
});
