import { expectStatus } from '../support/api-client.js';
import { queryDatabase } from '../support/database-query.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';

describe('an audit trail that cannot be written', () => {
  let steady: Gateway;
  beforeEach(async () => {
    steady = await startGateway({ roles: 'api' });
  });
  afterEach(() => steady?.stop());

  it('[F38] refuses what it would tell of, through both doors, and nothing is kept', async () => {
    const client = await steady.createClient();
    const imageId = await client.uploadPhoto(await drawSmallWoundPhoto());
    const { id: jobId } = await client.startJob({ imageId, subject: { patientId: 'MRN-1' } });
    const mute = await startGateway({
      databaseUrl: steady.databaseUrl,
      dataDir: steady.dataDir,
      roles: 'api',
      env: { SUTURA_FP: 'audit_insert:throw' },
    });
    const there = client.at(mute.baseUrl);
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2', value: 'X' }] };
    const answers = [
      await there.readJob(jobId),
      await there.request('GET', '/api/v1/analysis/jobs'),
      await there.request('GET', '/api/v1/wounds'),
      await there.createJob({ imageId }),
      await there.requestUpload(),
      await there.request('DELETE', `/api/v1/images/${imageId}`),
      await there.request('GET', `/fhir/Patient`),
      await there.request('POST', '/fhir/Patient', {
        json: patient,
        headers: { 'content-type': 'application/fhir+json' },
      }),
    ];
    // The photo of a job that still waits is not deleted in any case.
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 409, 503, 503]);
    expect(
      answers.filter(({ status }) => status === 503).every(({ headers }) => headers.get('retry-after') !== null),
    ).toBe(true);
    expect(mute.logs).toContain('audit.not_recorded');
    const metrics = (await there.request('GET', '/metrics')).bytes.toString('utf8');
    expect(Number(/^sutura_audit_not_recorded_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(7);
    await mute.stop();

    const [counts] = await queryDatabase<Record<string, number>>(
      steady.databaseUrl,
      `select (select count(*)::int from images) as images, (select count(*)::int from analysis_jobs) as jobs, (select used from quota_usage) as charged, (select count(*)::int from fhir_resources where type = 'Patient' and created_by is not null) as patients`,
    );
    expect(counts).toEqual({ images: 1, jobs: 1, charged: 1, patients: 0 });
    expectStatus(200, await client.readJob(jobId));
  });
});
