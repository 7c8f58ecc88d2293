import type { ApiClient } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('reading jobs', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let imageId: string;

  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '500' } });
    client = await gateway.createClient();
    imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 320, height: 240 }));
  });
  afterAll(() => gateway?.stop());

  const list = (query: string) => client.request('GET', `/api/v1/analysis/jobs${query}`);
  const idsOf = (body: { items: { id: string }[] }) => body.items.map((item) => item.id);

  it('refuses a cursor, a limit or a status that it never gave out', async () => {
    for (const query of [
      '?cursor=made-up',
      '?limit=0',
      '?limit=101',
      '?status=paused',
      '?createdAfter=yesterday',
      '?colour=red',
    ]) {
      const answer = await list(query);
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'request.invalid']);
    }
  });

  it('pages newest first, without loss or repeat while new jobs arrive', async () => {
    const pager = await gateway.createClient();
    const photo = await pager.uploadPhoto(await drawWoundPhoto({ width: 320, height: 240 }));
    const created: string[] = [];
    for (let count = 0; count < 5; count += 1) created.push((await pager.startJob({ imageId: photo })).id);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const suffix: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await pager.request('GET', `/api/v1/analysis/jobs?limit=2${suffix}`);
      expect(page.status).toBe(200);
      seen.push(...idsOf(page.body));
      cursor = page.body.nextCursor;
      if (seen.length === 2) await pager.startJob({ imageId: photo });
    } while (cursor !== null);
    expect(seen).toEqual([...created].reverse());
  });

  it('filters by status, patient, wound and time', async () => {
    const subject = { patientId: 'P-17', patientSystem: 'urn:oid:1.2.3', woundId: 'heel-left' };
    const job = await client.startJob({ imageId, subject });
    await client.startJob({
      imageId: await client.uploadPhoto(await drawWoundPhoto({ seed: 18 })),
      subject: { patientId: 'P-18' },
    });
    await client.waitForJob(job.id);
    expect(idsOf((await list('?patientId=P-17')).body)).toEqual([job.id]);
    expect(idsOf((await list('?woundId=heel-left')).body)).toEqual([job.id]);
    expect(idsOf((await list('?patientId=P-17&status=error')).body)).toEqual([]);
    expect(idsOf((await list('?patientId=P-17&status=completed')).body)).toEqual([job.id]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(idsOf((await list(`?createdAfter=${encodeURIComponent(later)}`)).body)).toEqual([]);
  });

  it('refuses more pairs of metadata than it looks up, and names that are none', async () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, index) => `metadata.k${index}=v`).join('&');
    for (const query of [`?${pairs(5)}`, '?metadata.=v', '?metadata=v', '?metadata.k=v&metadata.k=w', '?metadatak=v']) {
      const answer = await list(query);
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'request.invalid']);
    }
    expect((await list('?metadata=v')).body.errors).toEqual([
      { pointer: '/query/metadata', detail: 'is not a known field' },
    ]);
  });

  it('finds jobs by pairs of the caller’s own, page by page, and nobody else’s', async () => {
    const caller = await gateway.createClient();
    const photo = await caller.uploadPhoto(await drawWoundPhoto({ seed: 21 }));
    const made: string[] = [];
    for (const ward of ['3', '3', '4', '3'])
      made.push((await caller.startJob({ imageId: photo, metadata: { 'case.no': 'F-1/ä', ward } })).id);
    await caller.startJob({ imageId: photo });
    const find = async (query: string, by = caller) =>
      idsOf((await by.request('GET', `/api/v1/analysis/jobs?${query}`)).body);
    const all = made.toReversed();
    expect(await find('metadata.case.no=F-1%2F%C3%A4')).toEqual(all);
    expect(await find('metadata.case.no=F-1%2F%C3%A4&metadata.ward=4')).toEqual([made[2]]);
    expect(await find('metadata.ward=3&status=error')).toEqual([]);
    expect(await find('metadata.ward=')).toEqual([]);
    expect(await find('metadata.ward=3', client)).toEqual([]);
    const first = await caller.request('GET', '/api/v1/analysis/jobs?metadata.ward=3&limit=2');
    expect(idsOf(first.body)).toEqual([made[3], made[1]]);
    const rest = await caller.request(
      'GET',
      `/api/v1/analysis/jobs?metadata.ward=3&limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`,
    );
    expect([idsOf(rest.body), rest.body.nextCursor]).toEqual([[made[0]], null]);
  });

  it('holds the answer with Prefer: wait until the job ends, and no longer', async () => {
    const job = await client.startJob({ imageId });
    const began = performance.now();
    const answer = await client.readJob(job.id, { prefer: 'wait=20' });
    expect(answer.body.status).toBe('completed');
    expect(answer.headers.get('preference-applied')).toContain('wait');
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('answers a wait that is too short with the state as it is', async () => {
    // the one that is read is created after the others, so that it stands behind 2.5 s of work
    const ahead = await Promise.all(Array.from({ length: 5 }, () => client.startJob({ imageId, priority: 'routine' })));
    const last = await client.startJob({ imageId, priority: 'routine' });
    const answer = await client.readJob(last.id, { prefer: 'wait=1' });
    expect(answer.status).toBe(200);
    expect(['queued', 'processing']).toContain(answer.body.status);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await Promise.all([...ahead, last].map((job) => client.waitForJob(job.id)));
  });

  it('answers 304 while nothing changed, and the ended job without Retry-After', async () => {
    const job = await client.startJob({ imageId });
    await client.waitForJob(job.id);
    const first = await client.readJob(job.id);
    expect(first.headers.get('retry-after')).toBeNull();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await client.readJob(job.id, { 'if-none-match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await client.readJob(job.id, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('takes a stat job before the routine ones that wait', async () => {
    const routine = await Promise.all(Array.from({ length: 4 }, () => client.startJob({ imageId })));
    const urgent = await client.startJob({ imageId, priority: 'stat' });
    const ended = await client.waitForJob(urgent.id);
    const last = await Promise.all(routine.map((job) => client.waitForJob(job.id)));
    const after = last.filter((job) => Date.parse(job.startedAt) > Date.parse(ended.startedAt));
    expect(after.length).toBeGreaterThanOrEqual(2);
  });
});
