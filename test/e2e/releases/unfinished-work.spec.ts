import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { verify } from '../../faults/verify.js';
import { EhrReceiver } from '../../peers/mllp-receiver.js';
import { callCommandLine } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf } from '../../support/hl7-hospital.js';
import { readUnfinishedData, releasesWithUnfinishedData, restoreRelease } from '../../support/release-data.js';
import type { TestDatabase } from '../../support/test-database.js';

it('there is unfinished work of release 0.1.0', () => {
  expect(releasesWithUnfinishedData()).toContain('0.1.0');
});

describe.each(releasesWithUnfinishedData())('work that release %s left when it was killed', (release) => {
  const data = readUnfinishedData(release);
  let dataDir: string;
  let database: TestDatabase;
  let receiver: EhrReceiver;
  let gateway: Gateway;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-unfinished-'));
    database = await restoreRelease(data, dataDir);
    receiver = await EhrReceiver.start();
    await queryDatabase(
      database.url,
      `insert into hl7_destinations (id, organization_id, environment, name, settings, created_at)
       select $1, organization_id, environment, 'ehr', $2, now() from hl7_listeners limit 1`,
      [v7(), { host: '127.0.0.1', port: receiver.port }],
    );
  });
  afterAll(async () => {
    await gateway?.stop();
    await receiver?.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const statesOf = (sql: string): Promise<{ state: string }[]> => queryDatabase(database.url, sql);

  it('is what it says: a job that nobody took, one whose worker died, a message that was only accepted', async () => {
    const jobs = await statesOf(`select status as state from analysis_jobs group by status order by 1`);
    const messages = await statesOf(`select state from hl7_inbound order by sequence`);
    expect([jobs, messages].map((rows) => rows.map(({ state }) => state))).toEqual([
      ['processing', 'queued'],
      ['processed', 'received'],
    ]);
  });

  it('is finished by this one: every job, every message, every result, once', async () => {
    gateway = await startGateway({ databaseUrl: database.url, dataDir });
    for (const order of data.orders)
      await eventually(
        `the result of ${order}`,
        () => receiver.messages.find((message) => fieldOf(message, 'OBR', 2).startsWith(`${order}^`)),
        60_000,
        200,
      );
    const rows = await queryDatabase<{ id: string }>(database.url, 'select id from analysis_jobs');
    const jobs = rows.map(({ id }) => id);
    expect(jobs).toEqual(expect.arrayContaining([...data.jobs]));
    expect(jobs).toHaveLength(data.jobs.length + data.orders.length);
    await verify(gateway, jobs);
    for (const order of data.orders) {
      const numbers = receiver.messages
        .filter((message) => fieldOf(message, 'OBR', 2).startsWith(`${order}^`))
        .map((message) => fieldOf(message, 'MSH', 10));
      expect([order, new Set(numbers).size]).toEqual([order, 1]);
    }
    const env = { DATABASE_URL: database.url, SUTURA_DATA_DIR: dataDir };
    for (const words of [
      ['audit', 'verify'],
      ['objects', 'verify'],
    ])
      expect([words, await callCommandLine(words, env)]).toEqual([words, expect.objectContaining({ code: 0 })]);
  });
});
