import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

let gateway: SharedGateway;
let client: ApiClient;
let photos = 0;

beforeAll(async () => {
  gateway = await sharedGateway();
  client = await gateway.createClient();
});

const photo = (): Promise<Buffer> => drawWoundPhoto({ seed: 7100 + (photos += 1), width: 320, height: 240 });
const upload = async (caller = client): Promise<string> => caller.uploadPhoto(await photo());
const asking = (imageId: string, sandbox: string, more: object = {}): object => ({
  imageId,
  metadata: { sandbox, visit: '4711' },
  ...more,
});
const used = async (caller = client): Promise<number> =>
  expectStatus(200, await caller.request('GET', '/api/v1/usage')).body.used as number;
const held = async (caller: ApiClient): Promise<Answer['body'][]> =>
  expectStatus(200, await caller.request('GET', '/api/v1/held')).body.items as Answer['body'][];

describe('an outcome that metadata.sandbox asks for', () => {
  /** Of the refused, which do nothing with it. */
  let imageId: string | undefined;

  it.each(['job_failed', 'needs_review', 'whatever'])(
    'is refused in live, where somebody would take %s for a true one',
    async (word) => {
      const live = await gateway.createClient('enterprise', 'live');
      const refused = await live.createJob(asking(await upload(live), word));
      expect([refused.status, refused.body.code]).toEqual([422, 'sandbox.live']);
      expect(refused.body.errors).toEqual([{ pointer: '/metadata/sandbox', detail: refused.body.detail }]);
      expect(await used(live)).toBe(0);
    },
  );

  it.each([
    '',
    'JOB_FAILED',
    'job_failed ',
    'held',
    'held:patient_unknown',
    'slow',
    'slow:0s',
    'slow:601s',
    'slow:1.5s',
    'slow:030s',
    'slow:30',
    'slow:-1s',
    'slow:30s;job_failed',
    'toString',
  ])('is refused where there is none such: "%s"', async (word) => {
    const before = await used();
    imageId ??= await upload();
    const refused = await client.createJob(asking(imageId, word));
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      400,
      'request.invalid',
      '/metadata/sandbox',
    ]);
    expect(refused.body.errors[0].detail).toContain('slow:1s to slow:600s');
    expect(await used()).toBe(before);
  });

  it('is none where another key of the metadata has the word', async () => {
    const job = await client.analyse(await photo(), { metadata: { sandboxed: 'job_failed', visit: 'sandbox' } });
    expect([job.status, job.sandbox]).toEqual(['completed', undefined]);
  });

  it('is refused where its key is written by other letters, which would be a job like any other', async () => {
    imageId ??= await upload();
    const refused = await client.createJob({ imageId, metadata: { Sandbox: 'job_failed' } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/metadata/Sandbox']);
  });

  it('job_failed: the job is charged, ends in processing.failed, and every exit says who asked', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url } }));
      expectStatus(200, await client.request('GET', '/fhir/Patient'));
      const before = await used();
      const subject = { patientId: 'SANDBOX-FAILED', woundId: 'W1' };
      const job = await client.analyse(await photo(), { metadata: { sandbox: 'job_failed' }, subject });
      expect(job).toMatchObject({ status: 'error', sandbox: 'job_failed', attempts: 1, environment: 'test' });
      expect(job.error).toMatchObject({ code: 'processing.failed', retryable: false });
      expect(job.error.detail).toContain('Asked for by metadata.sandbox (job_failed)');
      expect(await used()).toBe(before + 1);

      const { event } = await eventually('the webhook came', () =>
        receiver.received.find(({ event: one }) => one.type === 'analysis.failed' && one.data.jobId === job.id),
      );
      expect(event.data).toMatchObject({ error: { code: 'processing.failed' }, sandbox: 'job_failed' });
      const task = await eventually('the Task failed', async () => {
        const answer = await client.request('GET', `/fhir/Task/${job.id}`);
        return answer.status === 200 && answer.body.status === 'failed' ? answer.body : null;
      });
      expect(task.statusReason.coding[0].code).toBe('processing-failed');
      expect(task.statusReason.text).toContain('Asked for by metadata.sandbox');
      const trace = expectStatus(200, await gateway.admin('GET', `/trace?id=${job.id}`)).body;
      expect(JSON.stringify(trace)).toContain('"sandbox":"job_failed"');
    } finally {
      await receiver.stop();
    }
  });

  it('job_failed: the same photo is analysed once more, and well, without the word', async () => {
    const capturedAt = '2026-02-01T08:00:00Z';
    const bytes = await photo();
    expect((await client.analyse(bytes, { capturedAt, metadata: { sandbox: 'job_failed' } })).status).toBe('error');
    expect((await client.analyse(bytes, { capturedAt })).status).toBe('completed');
  });

  it('slow: the job waits as long as was asked, and has a true result', async () => {
    const job = await client.analyse(await photo(), { metadata: { sandbox: 'slow:2s' } });
    expect(job).toMatchObject({ status: 'completed', sandbox: 'slow:2s', attempts: 1 });
    expect(Date.parse(job.startedAt) - Date.parse(job.createdAt)).toBeGreaterThanOrEqual(1900);
    const report = expectStatus(200, await client.request('GET', new URL(job.links.report).pathname)).body;
    expect([report.sandbox, report.comparison.attention]).toEqual(['slow:2s', []]);
  });

  it('quota_exceeded: refused as at the end of the quota, and nothing is charged or made', async () => {
    const before = await used();
    const refused = await client.createJob(asking(await upload(), 'quota_exceeded'));
    expect([refused.status, refused.body.code]).toEqual([429, 'quota.exceeded']);
    expect(refused.body.detail).toContain('Asked for by metadata.sandbox (quota_exceeded)');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toContain('r=0');
    expect(await used()).toBe(before);
    const jobs = expectStatus(
      200,
      await client.request('GET', '/api/v1/analysis/jobs?metadata.sandbox=quota_exceeded'),
    );
    expect(jobs.body.items).toEqual([]);
  });

  it('needs_review: the report waits for a person, even where it would be final, and a review ends that', async () => {
    const organizationId = await gateway.createOrganization('enterprise');
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${organizationId}`, { resultPolicy: 'auto-final' }));
    const { key } = await gateway.createKey(organizationId);
    const caller = client.at(gateway.baseUrl);
    const as = (method: string, path: string, json?: unknown) =>
      caller.request(method, path, { key, ...(json === undefined ? {} : { json }) });
    const ticket = expectStatus(201, await as('POST', '/api/v1/images/upload-url')).body;
    expectStatus(200, await caller.putPhoto(ticket.uploadUrl, await photo(), ticket.headers));
    const subject = { patientId: 'SANDBOX-REVIEW', woundId: 'W1' };
    const body = asking(ticket.imageId as string, 'needs_review', { subject });
    const { id } = expectStatus(201, await as('POST', '/api/v1/analysis/jobs', body)).body;
    const job = await eventually('the job ended', async () => {
      const answer = await as('GET', `/api/v1/analysis/jobs/${id}`);
      return answer.body.status === 'completed' ? answer.body : null;
    });
    expect(job).toMatchObject({ sandbox: 'needs_review', result: { attention: ['sandbox'] } });
    const path = new URL(job.links.report).pathname;
    const report = expectStatus(200, await as('GET', path));
    expect(report.body).toMatchObject({
      status: 'preliminary',
      sandbox: 'needs_review',
      comparison: { attention: ['sandbox'] },
    });
    const text = await caller.request('GET', path, { key, headers: { accept: 'text/plain' } });
    expect(text.bytes.toString('utf8')).toContain('The sender asked for a result that waits');

    const review = { decision: 'accept', reviewer: { id: 'n-17', name: 'Nora Field' } };
    const reviewed = await caller.request('POST', `${path}/reviews`, {
      key,
      json: review,
      headers: { 'if-match': report.headers.get('etag')! },
    });
    expect(expectStatus(201, reviewed).body).toMatchObject({ status: 'final', comparison: { attention: [] } });
  });

  describe('held:identity_conflict', () => {
    let caller: ApiClient;
    const subject = { patientId: 'SANDBOX-HELD', patientSystem: 'urn:oid:2.999.1', woundId: 'W1' };
    beforeEach(async () => {
      caller = await gateway.createClient();
    });
    const ask = async (imageId: string) => caller.createJob(asking(imageId, 'held:identity_conflict', { subject }));
    const resolve = async (id: string, json: object) =>
      expectStatus(200, await caller.request('POST', `/api/v1/held/${id}/resolve`, { json }));

    it('is refused for a photo that is not there, and nothing waits', async () => {
      const refused = await ask('01997f2e-8888-7000-8000-000000000001');
      expect([refused.status, refused.body.code]).toEqual([404, 'image.not_found']);
      expect(await held(caller)).toEqual([]);
    });

    it('waits on the list, uncharged, until a person says that it is the same: then the repeat is the job', async () => {
      const imageId = await upload(caller);
      const refused = await ask(imageId);
      expect([refused.status, refused.body.code]).toEqual([409, 'identity.conflict']);
      expect(refused.body.detail).toContain('Asked for by metadata.sandbox');
      expect(await ask(imageId)).toMatchObject({ status: 409, body: { heldId: refused.body.heldId } });
      const [item, ...others] = await held(caller);
      expect(others).toEqual([]);
      expect(item).toMatchObject({ id: refused.body.heldId, reason: 'identity_conflict', door: 'rest' });
      // The number is new, and the refused request made no record of it.
      expect(item.came).toMatchObject({ imageIds: [imageId], resources: [], patientIds: [] });
      expect(item.waitsFor).toContain('Asked for by metadata.sandbox');
      expect(await used(caller)).toBe(0);

      await resolve(item.id, { action: 'same' });
      expect(await held(caller)).toEqual([]);
      const job = expectStatus(201, await ask(imageId)).body;
      expect(await caller.waitForJob(job.id)).toMatchObject({
        status: 'completed',
        sandbox: 'held:identity_conflict',
        subject: { patientSystem: 'urn:oid:2.999.1' },
      });
      expect(await used(caller)).toBe(1);
    });

    it('is filed under the number of another authority where a person says that it is another', async () => {
      const imageId = await upload(caller);
      const { heldId } = (await ask(imageId)).body;
      await resolve(heldId, { action: 'another', authority: 'urn:oid:2.999.2' });
      const job = expectStatus(201, await ask(imageId)).body;
      expect(job.subject).toMatchObject({ patientId: 'SANDBOX-HELD', patientSystem: 'urn:oid:2.999.2' });
    });

    it('cannot be another where the photo is filed under the number already', async () => {
      const imageId = await upload(caller);
      expectStatus(201, await caller.createJob({ imageId, subject }));
      const { heldId } = (await ask(imageId)).body;
      const refused = await caller.request('POST', `/api/v1/held/${heldId}/resolve`, {
        json: { action: 'another', authority: 'urn:oid:2.999.2' },
      });
      expect(refused.body.code).toBe('held.action');
      await resolve(heldId, { action: 'same' });
      expectStatus(201, await ask(imageId));
    });

    it('is never a job where a person discards it', async () => {
      const imageId = await upload(caller);
      const { heldId } = (await ask(imageId)).body;
      await resolve(heldId, { action: 'discard' });
      const refused = await ask(imageId);
      expect([refused.status, refused.body.code, refused.body.heldId]).toEqual([409, 'identity.conflict', undefined]);
      expect(await used(caller)).toBe(0);
      expect((await ask(await upload(caller))).body.heldId).not.toBe(heldId);
    });
  });
});
