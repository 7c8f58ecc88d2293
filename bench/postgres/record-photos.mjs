import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { photograph, untilSettled } from '../budget/visits.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { query } from '../lib/postgres-server.mjs';
import { createTenants } from '../lib/tenants.mjs';

const TAP = resolve(import.meta.dirname, '../budget/statement-tap.mjs');
const DAY_MS = 86_400_000;
/** What a gateway knows of an organization for two seconds is asked anew for each photo, so that each pays the full price. */
const SETTLED_MS = 2100;
/** Of one length, like nothing else that is sent, and none that is counted up to afterwards. */
const PATIENTS = ['series-zzzzza', 'series-zzzzzb'];

/**
 * Two patients of two organizations, each with so many photos of one wound, a day apart, through a real gateway with its worker: every
 * statement of theirs to the letter, with its answer.
 *
 * @returns {Promise<{ recordings: { tenant: object, patientId: string, photos: object[][] }[], tenants: object[], jobIds: string[] }>}
 * the lines of each photo; the organizations; and the jobs that are in the database from now on
 */
export async function recordPhotos({ databaseUrl, bytes, photos, organizations }) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-recording-'));
  const tapFile = join(folder, 'statements.jsonl');
  await appendFile(tapFile, '');
  const gateway = await startGateway({
    databaseUrl,
    env: {
      SUTURA_WORKER_PROCESSES: '1',
      NODE_OPTIONS: `--import ${TAP}`,
      BENCH_TAP_FILE: tapFile,
      BENCH_TAP_ANSWERS: '1',
    },
  });
  try {
    const tenants = await tenantsWithKeys({ gateway, databaseUrl, organizations });
    const day0 = Date.now() - 300 * DAY_MS;
    const recordings = [];
    // What a gateway makes once, such as its secrets, is made before.
    const capturedAt = new Date(day0).toISOString();
    const jobIds = [await photograph({ gateway, tenant: tenants[0], bytes, patientId: 'FIRST', capturedAt })];
    await untilSettled(databaseUrl, SETTLED_MS);
    for (const [at, patientId] of PATIENTS.entries()) {
      const recorded = { tenant: tenants[at], patientId, photos: [] };
      for (let photo = 0; photo < photos; photo += 1) {
        await truncate(tapFile);
        const capturedAt = new Date(day0 + photo * DAY_MS).toISOString();
        jobIds.push(await photograph({ gateway, tenant: tenants[at], bytes, patientId, capturedAt }));
        await untilSettled(databaseUrl, SETTLED_MS);
        recorded.photos.push(linesOf(await readFile(tapFile, 'utf8')));
      }
      recordings.push(recorded);
    }
    return { recordings, tenants, jobIds };
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true });
  }
}

async function tenantsWithKeys({ gateway, databaseUrl, organizations }) {
  const tenants = await createTenants(gateway, organizations, ['images:write', 'analysis:write', 'analysis:read']);
  const keys = await query(databaseUrl, 'select id, organization_id from api_keys');
  return tenants.map((tenant) => ({
    ...tenant,
    keyId: keys.find((key) => key.organization_id === tenant.organizationId).id,
  }));
}

/** Each statement with what came back of it. */
function linesOf(text) {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const answers = new Map(lines.flatMap((line) => (line.answers === undefined ? [] : [[line.answers, line]])));
  return lines.flatMap((line) => (line.text === undefined ? [] : [{ ...line, answer: answers.get(line.number) }]));
}
