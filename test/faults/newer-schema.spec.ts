import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { Hl7Hospital } from '../support/hl7-hospital.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { createJobs } from './load.js';

const LONGEST_MS = 10_000;
const ROW = `insert into migrations (timestamp, name, sha256) values (9999999999999, 'AddOfALaterRelease9999999999999', repeat('0', 64))`;

describe('a gateway of an older release, once a newer one has migrated its database', () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  const ready = async () => {
    const answer = await fetch(`${gateway.baseUrl}/health/ready`);
    return { ...((await answer.json()) as { checks: Record<string, string> }), status: answer.status };
  };
  const states = () =>
    queryDatabase<{ status: string; attempts: number }>(
      gateway.databaseUrl,
      'select status, attempts from analysis_jobs order by created_at',
    );

  it('is not ready within ten seconds, closes its listeners, starts no photo and refuses callers with 503', async () => {
    gateway = await startGateway({
      env: { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '6000', SUTURA_LEASE_S: '60' },
    });
    hospital = await Hl7Hospital.open(gateway);
    await (await hospital.connect()).destroy();
    const imageId = await hospital.client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    await createJobs({ clients: () => [hospital.client], imageId, count: 4 });
    await eventually('the first photo is being analysed', async () => (await states())[0]?.status === 'processing');

    await queryDatabase(gateway.databaseUrl, ROW);
    await eventually('it is not ready', async () => (await ready()).status === 503, LONGEST_MS);
    expect((await ready()).checks).toMatchObject({ schema: 'failed', database: 'ok', storage: 'ok', encryption: 'ok' });
    await eventually(
      'its listener is closed',
      () => gateway.process.events('hl7.listener_closed').length === 1,
      LONGEST_MS,
    );
    const refused = await eventually(
      'callers are refused',
      async () => {
        const answer = await hospital.client.request('GET', '/api/v1/usage');
        return answer.status === 503 ? answer : undefined;
      },
      LONGEST_MS,
    );
    expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['service.unavailable', '10']);
    const started = (await states()).filter(({ attempts }) => attempts > 0).length;
    expect(started).toBeLessThan(4);
    // The photo in hand cannot be finished here; the place that it leaves takes no other.
    await eventually('the photo in hand has left its place', async () => {
      const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
      return /^sutura_inference_slots\{state="free"\} 1$/m.test(metrics);
    });
    expect((await states()).filter(({ attempts }) => attempts > 0)).toHaveLength(started);
    expect(gateway.process.events('database.newer_release')).toHaveLength(1);
  }, 120_000);

  it('goes on where the database is its own again, as after a restore: nothing is lost', async () => {
    await queryDatabase(gateway.databaseUrl, `delete from migrations where timestamp = 9999999999999`);
    await eventually('it is ready', async () => (await ready()).status === 200, 2 * LONGEST_MS);
    await eventually('the listener is back', () => gateway.process.events('hl7.listening').length === 2, LONGEST_MS);
    await eventually(
      'every photo has its result',
      async () => (await states()).every(({ status }) => status === 'completed'),
      90_000,
    );
  }, 120_000);
});
