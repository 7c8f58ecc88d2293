import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PATH = '/api/v1/sandbox/clock';
const DAY_S = 86_400;

let gateway: SharedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await sharedGateway();
  client = await gateway.createClient();
});

const move = (json: unknown, headers: Readonly<Record<string, string>> = {}, caller = client): Promise<Answer> =>
  caller.request('POST', PATH, { json, headers });
const clockOf = async (caller = client): Promise<Answer['body']> =>
  expectStatus(200, await caller.request('GET', PATH)).body;
const said = ({ status, body }: Answer): string => `${status} ${body.code as string}`;

describe('the clock of the test environment', () => {
  it('is not for a live key, nor for one without analysis:write', async () => {
    const live = await gateway.createClient('enterprise', 'live');
    expect(said(await move({ advance: 'P1D' }, {}, live))).toBe('422 sandbox.clock_live');
    expect(said(await live.request('GET', PATH))).toBe('422 sandbox.clock_live');
    const organization = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organization, 'test', ['analysis:read']);
    for (const method of ['GET', 'POST'] as const)
      expect(said(await client.request(method, PATH, { key, ...(method === 'POST' ? { json: {} } : {}) }))).toBe(
        '403 auth.scope',
      );
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['both', { now: '2030-01-01T00:00:00Z', advance: 'P1D' }],
    ['months', { advance: 'P1M' }],
    ['a fraction', { advance: 'P0.5D' }],
    ['a time that goes back', { advance: '-P1D' }],
    ['no time', { advance: 'PT0S' }],
    ['more digits than a clock has', { advance: `P${'9'.repeat(10_000)}D` }],
    ['a number', { advance: 86_400 }],
    ['a moment without an offset', { now: '2030-01-01T00:00:00' }],
    ['a day alone', { now: '2030-01-01' }],
    ['no moment', { now: 'NaN' }],
    ['null', { now: null }],
    ['a field of another name', { advance: 'P1D', environment: 'live' }],
    ['a list', [{ advance: 'P1D' }]],
  ])('takes no %s', async (_, json) => {
    expect(said(await move(json))).toBe('400 request.invalid');
    expect((await clockOf()).aheadSeconds).toBe(0);
  });

  it('goes neither back nor more than ten years ahead', async () => {
    expect(said(await move({ now: '2025-01-01T00:00:00Z' }))).toBe('422 sandbox.clock_back');
    for (const json of [{ advance: 'P9999W' }, { now: '9999-12-31T23:59:59Z' }])
      expect(said(await move(json))).toBe('422 sandbox.clock_limit');
    expect((await clockOf()).aheadSeconds).toBe(0);
  });

  it('moves once for a repeat, and for each of two who move it at once', async () => {
    const caller = await gateway.createClient();
    const headers = { 'idempotency-key': 'week-1' };
    const first = expectStatus(200, await move({ advance: 'P7D' }, headers, caller));
    const again = expectStatus(200, await move({ advance: 'P7D' }, headers, caller));
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    await Promise.all([1, 2].map(() => move({ advance: 'P7D' }, {}, caller)));
    expect((await clockOf(caller)).aheadSeconds).toBe(21 * DAY_S);
    expect((await clockOf()).aheadSeconds).toBe(0);
  });

  it('lets two photos without a time stand weeks apart, in the report, its event and the course', async () => {
    const subject = { patientId: 'SANDBOX-CLOCK', woundId: 'W1' };
    const first = await client.analyse(await drawWoundPhoto({ seed: 7301, width: 320, height: 240 }), { subject });
    expectStatus(200, await move({ advance: 'P28D' }));
    const second = await client.analyse(await drawWoundPhoto({ seed: 7302, width: 320, height: 240 }), { subject });
    const days = (Date.parse(second.capturedAt) - Date.parse(first.capturedAt)) / (DAY_S * 1000);
    expect(Math.floor(days)).toBe(28);
    expect(Date.parse(second.createdAt) - Date.parse(first.createdAt)).toBeLessThan(DAY_S * 1000);

    const report = expectStatus(200, await client.request('GET', second.links.report)).body;
    expect(Date.parse(report.issuedAt)).toBeGreaterThanOrEqual(Date.parse(second.capturedAt));
    const event = await eventually('the event is in the log', async () => {
      const { items } = expectStatus(
        200,
        await client.request('GET', '/api/v1/events?type=report.ready&limit=100'),
      ).body;
      return (items as Answer['body'][]).find(({ data }) => data.reportId === report.id);
    });
    expect([event.timestamp, event.data.capturedAt]).toEqual([report.issuedAt, second.capturedAt]);
    const behind = Date.parse(event.timestamp) - Date.parse(event.recordedAt);
    expect(Math.round(behind / (DAY_S * 1000))).toBe(28);

    const completed = await eventually('the end of the analysis is, too', async () => {
      const { items } = expectStatus(
        200,
        await client.request('GET', '/api/v1/events?type=wound.opened&limit=100'),
      ).body;
      return (items as Answer['body'][])[0];
    });
    expect(Date.parse(completed.timestamp)).toBeLessThan(Date.parse(second.capturedAt));
  });

  it('takes what lies ahead of real time and not of the clock, over REST and FHIR', async () => {
    const { now } = await clockOf();
    const [between, beyond] = [-1, 1].map((days) => new Date(Date.parse(now) + days * DAY_S * 1000).toISOString());
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed: 7303, width: 320, height: 240 }));
    expect(said(await client.createJob({ imageId, capturedAt: beyond }))).toBe('422 capture.future');
    expect(expectStatus(201, await client.createJob({ imageId, capturedAt: between })).body.capturedAt).toBe(between);
    const number = { system: 'urn:oid:2.999.1', value: 'SANDBOX-FHIR' };
    const patient = expectStatus(
      201,
      await client.request('POST', '/fhir/Patient', { json: { resourceType: 'Patient', identifier: [number] } }),
    ).body;
    const bytes = await drawWoundPhoto({ seed: 7304, width: 320, height: 240 });
    const media = (createdDateTime: string | undefined) => ({
      resourceType: 'Media',
      status: 'completed',
      subject: { reference: `Patient/${patient.id as string}` },
      createdDateTime,
      content: { contentType: 'image/jpeg', data: bytes.toString('base64') },
    });
    const refused = await client.request('POST', '/fhir/Media', { json: media(beyond) });
    expect([refused.status, refused.body.issue[0].details.coding[0].code]).toEqual([422, 'capture-future']);
    expect(expectStatus(201, await client.request('POST', '/fhir/Media', { json: media(between) })).body).toMatchObject(
      {
        createdDateTime: between,
      },
    );
  });

  it('ends a link to the review desk, whose end is told by it', async () => {
    const subject = { patientId: 'SANDBOX-LINK', woundId: 'W1' };
    const job = await client.analyse(await drawWoundPhoto({ seed: 7305, width: 320, height: 240 }), { subject });
    const report = expectStatus(200, await client.request('GET', job.links.report)).body;
    const path = `/api/v1/reports/${report.id as string}/review-links`;
    const made = expectStatus(
      201,
      await client.request('POST', path, { json: { mode: 'read', of: 'report', minutes: 20 } }),
    );
    const { now } = await clockOf();
    const minutes = (Date.parse(made.body.expiresAt) - Date.parse(now)) / 60_000;
    expect(Math.round(minutes)).toBe(20);
    expectStatus(200, await move({ advance: 'PT21M' }));
    const [, id, secret] = /review\/([^#]+)#(.+)$/.exec(made.body.url as string)!;
    expect(said(await client.request('POST', `/review/api/v1/${id}/session`, { json: { link: secret } }))).toBe(
      '410 review.link',
    );
  });
});
