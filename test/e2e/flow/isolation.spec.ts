import type { ApiClient } from '../../support/api-client.js';
import { ApiClient as Caller } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const ROUTES: readonly [method: string, path: (id: string) => string, idOf: 'image' | 'job' | 'report' | 'wound'][] = [
  ['GET', (id) => `/api/v1/analysis/jobs/${id}`, 'job'],
  ['GET', (id) => `/api/v1/analysis/jobs/${id}/artifacts/mask`, 'job'],
  ['GET', (id) => `/api/v1/analysis/jobs/${id}/artifacts/overlay`, 'job'],
  ['DELETE', (id) => `/api/v1/images/${id}`, 'image'],
  ['GET', (id) => `/api/v1/reports/${id}`, 'report'],
  ['GET', (id) => `/api/v1/reports/${id}/versions`, 'report'],
  ['GET', (id) => `/api/v1/reports/${id}/versions/1`, 'report'],
  ['GET', (id) => `/api/v1/wounds/${id}`, 'wound'],
  ['GET', (id) => `/api/v1/wounds/${id}/timeline`, 'wound'],
  ['GET', (id) => `/api/v1/wounds/${id}/report`, 'wound'],
  ['POST', (id) => `/api/v1/wounds/${id}/close`, 'wound'],
];

describe('one tenant and the next', () => {
  let gateway: Gateway;
  let owner: ApiClient;
  let strangers: Record<string, ApiClient>;
  let ids: { image: string; job: string; report: string; wound: string };

  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_ALLOW_RESEARCH_MODEL: 'true' } });
    const organizationId = await gateway.createOrganization();
    const keyOf = async (environment: 'test' | 'live') =>
      new Caller(gateway.baseUrl, (await gateway.createKey(organizationId, environment)).key);
    owner = await keyOf('test');
    strangers = {
      'the same organization’s live key': await keyOf('live'),
      'another organization': await gateway.createClient(),
    };
    const job = await owner.analyse(await drawWoundPhoto(), { subject: { patientId: 'P-1', woundId: 'W-1' } });
    const report = job.links.report.split('/').at(-1)!;
    const { body } = await owner.request('GET', `/api/v1/reports/${report}`);
    ids = { image: job.imageId, job: job.id, report, wound: body.subject.woundRef };
  });
  afterAll(() => gateway?.stop());

  it.each(['the same organization’s live key', 'another organization'])(
    'hides every id from %s, as if it did not exist',
    async (name) => {
      const stranger = strangers[name] as ApiClient;
      for (const [method, path, idOf] of ROUTES) {
        const missing = await stranger.request(method, path(UNKNOWN));
        for (const id of Object.values(ids)) {
          const foreign = await stranger.request(method, path(id));
          expect([method, path('…'), foreign.status, foreign.body.code]).toEqual([
            method,
            path('…'),
            404,
            `${idOf}.not_found`,
          ]);
          expect({ ...foreign.body, requestId: '', instance: '' }).toEqual({
            ...missing.body,
            requestId: '',
            instance: '',
          });
        }
      }
      const create = await stranger.createJob({ imageId: ids.image });
      expect([create.status, create.body.code]).toEqual([404, 'image.not_found']);
    },
  );

  it.each(['the same organization’s live key', 'another organization'])('lists nothing of it to %s', async (name) => {
    const stranger = strangers[name] as ApiClient;
    for (const query of ['', '?patientId=P-1', '?woundId=W-1', '?status=completed']) {
      expect((await stranger.request('GET', `/api/v1/analysis/jobs${query}`)).body.items).toEqual([]);
      if (!query.includes('completed'))
        expect((await stranger.request('GET', `/api/v1/wounds${query}`)).body.items).toEqual([]);
    }
  });

  it('still shows it to its owner, untouched', async () => {
    expect((await owner.readJob(ids.job)).body.status).toBe('completed');
    expect((await owner.request('GET', `/api/v1/analysis/jobs/${ids.job}/artifacts/mask`)).status).toBe(200);
  });

  it('answers malformed ids like unknown ones', async () => {
    for (const id of ['x', '..%2f..%2fetc', ids.job.toUpperCase(), `${ids.job}0`, '%00', 'a'.repeat(65)]) {
      const answer = await owner.readJob(id);
      expect([id, answer.status]).toEqual([id, 404]);
    }
  });

  it('counts the quota over both environments together', async () => {
    const live = strangers['the same organization’s live key'] as ApiClient;
    const before = (await live.request('GET', '/api/v1/usage')).body.used as number;
    await owner.analyse(await drawWoundPhoto());
    expect((await live.request('GET', '/api/v1/usage')).body.used).toBe(before + 1);
  });
});

describe('live jobs on a research-only model', () => {
  it('are refused until the operator allows them, and cost nothing', async () => {
    const gateway = await sharedGateway();
    const live = await gateway.createClient('pro', 'live');
    const refused = await live.createJob({ imageId: await live.uploadPhoto(await drawWoundPhoto()) });
    expect([refused.status, refused.body.code]).toEqual([409, 'model.research_only']);
    expect((await live.request('GET', '/api/v1/usage')).body).toMatchObject({ limit: 2000, used: 0 });
  });
});
