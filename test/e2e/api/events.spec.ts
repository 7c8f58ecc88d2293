import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const TEXT = 'An invented remark of the log.';

let gateway: SharedGateway;
let client: ApiClient;
let organizationId: string;
let photos = 7400;

beforeAll(async () => {
  gateway = await sharedGateway();
  organizationId = await gateway.createOrganization('enterprise');
  client = await clientOf('test');
});

/** With a key of the one organization. */
const clientOf = async (environment: 'test' | 'live', scopes?: readonly string[]) =>
  new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, environment, scopes)).key);
const ask = (query: string, by = client) => by.request('GET', `/api/v1/events${query}`);
const list = async (query = '', by = client): Promise<Answer['body']> => expectStatus(200, await ask(query, by)).body;
const typesOf = ({ items }: Answer['body']): string[] => (items as Answer['body'][]).map(({ type }) => type as string);
const analyse = async (patientId: string, by = client) =>
  by.analyse(await drawWoundPhoto({ seed: (photos += 1) }), {
    clinicalContext: TEXT,
    subject: { patientId, woundId: 'W-1' },
  });
/** Of one visit. */
const VISIT = ['analysis.completed', 'wound.opened', 'report.ready'];

describe('the log of events', () => {
  it.each([
    ['?type=report.burnt', '/query/type'],
    ['?type=report.ready&type=wound.opened', '/query/type'],
    ['?since=yesterday', '/query/since'],
    ['?since=2026-03-15T08:40:05', '/query/since'],
    ['?limit=0', '/query/limit'],
    ['?limit=101', '/query/limit'],
    ['?cursor=', '/query/cursor'],
    ['?cursor=ZTEuLTE', '/query/cursor'],
    [`?cursor=${'ZTEu'.repeat(8)}`, '/query/cursor'],
    ['?patientId=MRN-1', '/query/patientId'],
  ])('refuses %s', async (query, pointer) => {
    const refused = await ask(query);
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      400,
      'request.invalid',
      pointer,
    ]);
  });

  it('is not for a key without analysis:read, and has nothing of the other environment or of another organization', async () => {
    const refused = await ask('', await clientOf('test', ['webhooks:manage', 'analysis:write']));
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.scope']);
    await analyse('MRN-5100');
    await eventually('the visit to be in the log', async () => (await list()).items.length >= 3);
    const { nextCursor } = await list('?limit=1');
    for (const stranger of [await clientOf('live'), await gateway.createClient()])
      for (const query of ['', `?cursor=${nextCursor as string}`])
        expect(await list(query, stranger)).toMatchObject({ items: [], nextCursor: null });
  });

  it('has what was told before there was any webhook, and the ids and bodies of one, but for its sequence', async () => {
    const before = await list();
    const receiver = await WebhookReceiver.start();
    try {
      expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url } }));
      const job = await analyse('MRN-5101');
      await eventually('three events', () => receiver.received.length >= 3);
      const since = before.items.at(-1).recordedAt as string;
      const known = (before.items as { id: string }[]).map(({ id }) => id);
      const { items } = await list(`?since=${encodeURIComponent(since)}`);
      const news = (items as Answer['body'][]).filter(({ id }) => !known.includes(id as string));
      expect(news.map(({ type }) => type)).toEqual(VISIT);
      expect(news.map(({ id, type, timestamp, data }) => ({ id, event: { type, timestamp, data } }))).toEqual(
        receiver.received.map(({ id, event: { data, ...event } }) => {
          const { sequence: _, ...told } = data;
          return { id, event: { ...event, data: told } };
        }),
      );
      expect(news[0].data).toMatchObject({ jobId: job.id, woundDetected: true });
      expect(JSON.stringify(items)).not.toMatch(/MRN-5101|invented|W-1/);
    } finally {
      await receiver.stop();
    }
  });

  it('is read in pages that neither repeat nor leave out, of one type where that is asked for, to the end', async () => {
    const seen: string[] = [];
    for (let query = '?limit=2', page = 0; page < 20; page += 1) {
      const { items, nextCursor } = await list(query);
      seen.push(...(items as { id: string }[]).map(({ id }) => id));
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor as string}`;
    }
    const { items, keptSince } = await list('?limit=100');
    expect(seen).toEqual((items as { id: string }[]).map(({ id }) => id));
    expect(typesOf(await list('?type=wound.opened'))).toEqual(['wound.opened', 'wound.opened']);
    expect((await list('?since=2999-01-01T00:00:00Z')).items).toEqual([]);
    expect(Date.parse(keptSince as string)).toBeLessThan(Date.parse(items[0].recordedAt as string));
  });

  it('holds an empty answer back until something happens, and goes on with resumeCursor without a repeat', async () => {
    const caller = await gateway.createClient();
    const at = await list('?since=9999-12-31T23:59:59Z', caller);
    expect(at).toMatchObject({ items: [], nextCursor: null });
    const held = caller.request('GET', `/api/v1/events?cursor=${at.resumeCursor as string}`, {
      headers: { prefer: 'wait=30' },
    });
    await analyse('MRN-5102', caller);
    const first = expectStatus(200, await held);
    expect(first.headers.get('preference-applied')).toBe('wait=30');
    expect(first.body.items).not.toEqual([]);
    const seen = typesOf(first.body);
    let cursor = first.body.resumeCursor as string;
    await eventually('the rest of the visit', async () => {
      const more = await list(`?cursor=${cursor}`, caller);
      seen.push(...typesOf(more));
      cursor = more.resumeCursor as string;
      return seen.length >= VISIT.length;
    });
    expect(seen.sort()).toEqual([...VISIT].sort());
    expect((await list(`?cursor=${cursor}`, caller)).items).toEqual([]);
    // Beyond what the log ever had, as after a back-up was put back: nobody is held for what would never come.
    const began = performance.now();
    const ahead = await caller.request('GET', '/api/v1/events?cursor=ZTEuOTAwMDAwMDAwMDAwMDAwMA', {
      headers: { prefer: 'wait=30' },
    });
    expect(ahead.body.items).toEqual([]);
    expect(ahead.body.resumeCursor).not.toBe('ZTEuOTAwMDAwMDAwMDAwMDAwMA');
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('is in the audit trail with whose events were read, and has none of a patient who was erased', async () => {
    const readOf = async () =>
      (
        await queryDatabase<{ count: number }>(
          gateway.databaseUrl,
          `select count(distinct patient_id)::int as count from audit_events
             where organization_id = $1 and patient_id is not null and query like 'Communication?type=report.ready%'`,
          [organizationId],
        )
      )[0]!.count;
    expect((await list('?type=report.ready&limit=1')).items).toHaveLength(1);
    await eventually('one patient to be in the trail', async () => (await readOf()) === 1);
    await eventually('the patient is erased', async () => {
      const path = `/organizations/${organizationId}/patients/erase`;
      return (await gateway.admin('POST', path, { environment: 'test', patient: 'MRN-5101' })).status === 200;
    });
    expect(typesOf(await list())).toEqual(VISIT);
  });
});
