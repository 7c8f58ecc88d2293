import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle, Task } from '@medplum/fhirtypes';
import { embeddedDatabaseUrl, runCommand } from '../support/command-line.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../support/hl7-hospital.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

/** With the address of its embedded database, once that runs. */
async function withDatabase(gateway: Gateway): Promise<Gateway> {
  const databaseUrl = await embeddedDatabaseUrl(gateway.dataDir);
  return Object.create(gateway, { databaseUrl: { value: databaseUrl } }) as Gateway;
}

describe('a back-up that is taken while photos and messages come in', () => {
  const env = { HL7_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  /** Jobs pile up, so that the back-up has unfinished ones. */
  const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '300' };
  /** What was acknowledged, in this order. */
  const jobs: string[] = [];
  const orders: string[] = [];
  let ground: string;
  let first: Gateway;
  let hospital: Hl7Hospital;
  let goesOn = true;

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-coming-back-'));
    first = await withDatabase(
      await startGateway({ databaseUrl: null, dataDir: join(ground, 'data'), env: { ...env, ...slow } }),
    );
    hospital = await Hl7Hospital.open(first);
    await hospital.connect().then((sender) => sender.destroy());
  }, 120_000);
  afterAll(async () => {
    goesOn = false;
    await hospital?.close();
    await rm(ground, { recursive: true, force: true, maxRetries: 5 });
  });

  async function sendPhotos(): Promise<void> {
    const client = hospital.client;
    for (let seed = 1; goesOn; seed += 1) {
      const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed }));
      jobs.push((await client.startJob({ imageId })).id as string);
    }
  }

  async function sendOrders(): Promise<void> {
    for (let number = 1; goesOn; number += 1) {
      const order = `ORD-${number}`;
      const photo = await drawWoundPhoto({ seed: 1000 + number });
      const answer = await hospital.send(orderMessage({ order, photo, wound: `W-${number}` }));
      if (answer !== null && fieldOf(answer, 'MSA', 1) === 'AA') orders.push(order);
    }
  }

  const seeMore = (what: string, list: readonly string[], than: number) =>
    eventually(what, () => list.length > than, 60_000, 50);

  it('comes back with everything that was acknowledged before, and finishes what was unfinished', async () => {
    const out = join(ground, 'backup');
    const load = Promise.allSettled([sendPhotos(), sendOrders()]);
    await seeMore('photos come in', jobs, 8);
    await seeMore('orders come in', orders, 2);
    const [jobsBefore, ordersBefore] = [[...jobs], [...orders]];
    const taken = await runCommand(['backup', '--out', out, '--json'], { ...env, SUTURA_DATA_DIR: first.dataDir });
    expect([taken.err, taken.code]).toEqual(['', 0]);
    const [jobsThen, ordersThen] = [jobs.length, orders.length];
    expect(jobsThen).toBeGreaterThan(jobsBefore.length);
    await seeMore('photos still come in', jobs, jobsThen + 2);
    await seeMore('orders still come in', orders, ordersThen);
    await first.kill();
    goesOn = false;
    await load;

    const dataDir = join(ground, 'restored');
    const restored = await runCommand(['restore', '--from', out, '--json'], { ...env, SUTURA_DATA_DIR: dataDir });
    expect([restored.err, restored.code]).toEqual(['', 0]);
    expect(JSON.parse(restored.out)).toMatchObject({ breaks: 0, missing: [], changed: [] });

    const began = new Date();
    const second = await withDatabase(await startGateway({ databaseUrl: null, dataDir, env }));
    const rows = await queryDatabase<{ id: string }>(second.databaseUrl, 'select id from analysis_jobs');
    const ids = rows.map(({ id }) => id);
    expect(jobsBefore.filter((id) => !ids.includes(id))).toEqual([]);
    await eventually(
      'orders that were acknowledged have their results',
      () => ordersBefore.every((order) => hospital.resultsOf(order).length > 0),
      60_000,
      200,
    );
    for (const order of ordersBefore) {
      const { entry = [] } = await hospital
        .at(second)
        .read<Bundle<Task>>(`Task?based-on:ServiceRequest.identifier=${order}`);
      expect(entry).toHaveLength(1);
    }
    const all = await queryDatabase<{ id: string }>(second.databaseUrl, 'select id from analysis_jobs');
    await verify(
      second,
      all.map(({ id }) => id),
      { drainMs: 120_000 },
    );
    const finished = await queryDatabase<{ jobs: number }>(
      second.databaseUrl,
      'select count(*)::int as jobs from analysis_jobs where completed_at > $1',
      [began],
    );
    expect(finished[0]!.jobs).toBeGreaterThan(0);
    for (const id of jobsBefore) {
      const mask = await hospital.client
        .at(second.baseUrl)
        .request('GET', `/api/v1/analysis/jobs/${id}/artifacts/mask`);
      expect([id, mask.status]).toEqual([id, 200]);
    }
    const chain = await runCommand(['audit', 'verify', '--json'], { ...env, SUTURA_DATA_DIR: dataDir });
    expect([chain.code, JSON.parse(chain.out)]).toEqual([0, expect.objectContaining({ breaks: [] })]);
    await second.stop();
    await first.stop();
  }, 300_000);
});
