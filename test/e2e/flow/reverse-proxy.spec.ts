import { request } from 'node:http';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** An address behind the proxy, and one that a caller makes up. */
const CLIENT = '203.0.113.9';

describe('behind a reverse proxy', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({
      env: { TRUST_PROXY: 'loopback,10.0.0.0/8', PUBLIC_URL: 'https://wounds.example.org/sutura/' },
    });
  });
  afterAll(() => gateway?.stop());

  it('counts wrong credentials by the address that the proxy saw, whatever addresses the caller writes before it', async () => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 30; tried += 1) {
      const forwarded = `198.51.100.${tried}, ${CLIENT}, 10.1.2.3`;
      statuses.push(
        await statusOf(`${gateway.baseUrl}/admin/v1/organizations`, {
          authorization: 'Bearer wrong-token-wrong-token-wrong',
          'x-forwarded-for': forwarded,
        }),
      );
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.at(-1)).toBe(429);
  });

  it('writes that address into the audit trail', async () => {
    const client = await gateway.createClient();
    const { body: ticket } = await client.requestUpload();
    expect(ticket.imageId).toBeDefined();
    const headers = { authorization: `Bearer ${client.key}`, 'x-forwarded-for': `198.51.100.1, ${CLIENT}` };
    await statusOf(`${gateway.baseUrl}/api/v1/wounds`, headers);
    const rows = await queryDatabase<{ address: string }>(
      gateway.databaseUrl,
      `select distinct address from audit_events where address is not null`,
    );
    const addresses = rows.map(({ address }) => address);
    expect(addresses).toContain(CLIENT);
    expect(addresses).not.toContain('198.51.100.1');
  });

  it('below a path hands out addresses, Location and the document’s server with it', async () => {
    const client = await gateway.createClient();
    const { body: ticket } = await client.requestUpload();
    expect(ticket.uploadUrl).toMatch(/^https:\/\/wounds\.example\.org\/sutura\/storage\/uploads\//);
    await client.putPhoto(
      ticket.uploadUrl.replace('https://wounds.example.org/sutura', gateway.baseUrl),
      await drawWoundPhoto(),
      ticket.headers,
    );
    const job = await client.createJob({ imageId: ticket.imageId });
    expect(job.headers.get('location')).toBe(`/sutura/api/v1/analysis/jobs/${job.body.id}`);
    expect(job.body.links.self).toBe(`https://wounds.example.org/sutura/api/v1/analysis/jobs/${job.body.id}`);
    const document = (await (await fetch(`${gateway.baseUrl}/api-docs/openapi.json`)).json()) as { servers: unknown };
    expect(document.servers).toEqual([{ url: '/sutura' }]);
  });
});

let bare: Gateway;

it('without a proxy believes no header', async () => {
  bare = await startGateway({ env: { HOST: '::1' } });
  const client = await bare.createClient();
  await statusOf(`${bare.baseUrl}/api/v1/wounds`, {
    authorization: `Bearer ${client.key}`,
    'x-forwarded-for': CLIENT,
  });
  const rows = await queryDatabase<{ address: string }>(
    bare.databaseUrl,
    `select distinct address from audit_events where address is not null`,
  );
  expect(rows).toEqual([{ address: '::1' }]);
});

it('on an IPv6 address hands out addresses that can be called', async () => {
  const client = await bare.createClient();
  const { body: ticket } = await client.requestUpload();
  expect(new URL(ticket.uploadUrl).host).toBe(new URL(bare.baseUrl).host);
  expect((await client.putPhoto(ticket.uploadUrl, await drawWoundPhoto(), ticket.headers)).status).toBe(200);
  await bare.stop();
});

function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((answered, failed) => {
    request(url, { headers }, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    })
      .on('error', failed)
      .end();
  });
}
