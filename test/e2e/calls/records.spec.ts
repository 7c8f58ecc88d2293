import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { failedJob } from '../../support/failed-job.js';
import { keepHeldItem } from '../../support/held-item.js';
import { eventually } from '../../support/eventually.js';
import { callCommandLine } from '../../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { callCommands, CommandGround } from './command-row.js';
import { OLD_ROWS, PATIENT, RECORDS_ROWS, type RecordsGround } from './records.rows.js';

let database: TestDatabase;
let dataDir: string;
let ground: RecordsGround;

/** An organization whose trail is longer than it keeps in the database: the gateway archives it at its start. */
async function organizationOfOld(dataDir: string): Promise<string> {
  const variables = { DATABASE_URL: database.url, SUTURA_DATA_DIR: dataDir };
  const command = async (...words: string[]) => (await callCommandLine([...words, '--json'], variables)).out;
  const made = await command('org', 'create', '--name', 'Clinic', '--plan', 'enterprise');
  const { organizationId } = JSON.parse(made) as { organizationId: string };
  await queryDatabase(
    database.url,
    `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
       select $1, 'test', now() - interval '800 days', 'fhir', 'read', 'R', 'old', '{}' from generate_series(1, $2)`,
    [organizationId, OLD_ROWS],
  );
  await command('audit', 'verify');
  await queryDatabase(database.url, 'insert into retention_policies (organization_id, audit_days) values ($1, 730)', [
    organizationId,
  ]);
  return organizationId;
}

beforeAll(async () => {
  [database, dataDir] = [await createTestDatabase(), await mkdtemp(join(tmpdir(), 'sutura-calls-'))];
  const organizationId = await organizationOfOld(dataDir);
  const opened = await CommandGround.open({ roles: 'api,worker', databaseUrl: database.url, dataDir });
  const client = new ApiClient(opened.gateway.baseUrl, (await opened.gateway.createKey(organizationId)).key);
  const job = await client.analyse(await drawWoundPhoto(), { subject: { patientId: PATIENT, woundId: 'W-1' } });
  ground = Object.assign(opened, {
    organizationId,
    jobId: job.id as string,
    imageId: job.imageId as string,
    failedJobId: await failedJob(client, database.url),
    heldId: await keepHeldItem(database.url, organizationId),
  });
  await eventually('the archive', async () => {
    const archives = `select from audit_archives where state = 'emptied'`;
    return (await queryDatabase(database.url, archives)).length === 1;
  });
}, 240_000);
afterAll(async () => {
  await ground?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

callCommands(RECORDS_ROWS, () => ground);
