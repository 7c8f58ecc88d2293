// npm run bench:postgres -- [--secs N] [--warm-up-secs N] [--lanes N,N,…] [--gateways N] [--photos N] [--jobs N] [--lose TABLE]
// One PostgreSQL alone, loaded with exactly the statements of photos that a real gateway and worker sent it before. docs/scaling.md says what
// was measured.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { describeMachine, keep } from '../lib/report.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { watchFleet } from '../scale/watch-fleet.mjs';
import { describeAlone } from './describe-alone.mjs';
import { assertLossIsNoticed, assertNothingMissing, auditRowsOf } from './nothing-missing.mjs';
import { giveOwnCore } from './own-core.mjs';
import { scriptOf } from './photo-script.mjs';
import { recordPhotos } from './record-photos.mjs';
import { Replay } from './replay-photos.mjs';

/** As the service starts it for one gateway (open-database.ts). */
const MAX_CONNECTIONS = 100;
const ORGANIZATIONS = 20;
const MOST_RECORDINGS = 3;
const NO_FLEET = { processesOf: () => [] };
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const { values } = parseArgs({
  options: {
    secs: { type: 'string', default: '60' },
    // before each measurement, so that tables have so many rows that plans use their indexes
    'warm-up-secs': { type: 'string', default: '20' },
    // photos under way at once; of several numbers, one after another
    lanes: { type: 'string', default: '16' },
    // whose photos share commits of the audit trail and of handled events
    gateways: { type: 'string', default: '5' },
    // of each wound
    photos: { type: 'string', default: '5' },
    // a core of its own for PostgreSQL, and the other for everything else
    'own-core': { type: 'boolean', default: false },
    // so many and no more, without a measurement
    jobs: { type: 'string' },
    // a table of which a row is taken away after the counts, which then have to notice
    lose: { type: 'string' },
  },
});

/** A load of so many photos, or one that is measured for a while after its caches are warm; what it did and took. */
async function load(replay, databaseUrl, lanes) {
  const running = replay.run({ lanes, gateways: Number(values.gateways) });
  running.catch(() => undefined);
  if (values.jobs !== undefined) return { ...(await running), measured: {} };
  await Promise.race([pause(Number(values['warm-up-secs']) * 1000), running]);
  // As autovacuum does within a minute of the first photos: plans then know that the tables are not empty.
  await query(databaseUrl, 'vacuum analyze');
  const watch = await watchFleet({ fleet: NO_FLEET, databaseUrl });
  const [endedBefore, seenBefore] = [replay.ended, replay.latenciesMs.length];
  await Promise.race([pause(Number(values.secs) * 1000), running]);
  const ended = replay.ended - endedBefore;
  const latencies = describeLatencies(replay.latenciesMs.slice(seenBefore));
  const taken = await watch.end();
  replay.stop();
  return { ...(await running), measured: { ended, perSecond: (ended / taken.tookMs) * 1000, latencies, ...taken } };
}

/** Where something of the service's own came between the statements of one recording, both are made again. */
async function recordScript(wish) {
  const jobIds = [];
  for (let tries = 1; ; tries += 1) {
    const recorded = await recordPhotos(wish);
    jobIds.push(...recorded.jobIds);
    try {
      return { script: scriptOf(recorded.recordings), tenants: recorded.tenants, jobIds };
    } catch (fault) {
      if (tries === MOST_RECORDINGS) throw fault;
      console.log(`recorded again: ${fault.message.slice(0, 200)}`);
    }
  }
}

/** Records photos, and has them done again with so many lanes after so many. */
async function* measureAll(databaseUrl) {
  const [{ bytes }] = await drawPhotos(['1 MP']);
  const wish = { databaseUrl, bytes, photos: Number(values.photos), organizations: ORGANIZATIONS };
  const { script, tenants, jobIds } = await recordScript(wish);
  const found = { databaseUrl, accepted: jobIds, told: 0, noted: 0, auditRows: await auditRowsOf(databaseUrl) };
  const patients = { taken: 0 };
  for (const lanes of values.lanes.split(',').map(Number)) {
    const jobs = Number(values.jobs ?? Number.POSITIVE_INFINITY);
    const replay = new Replay({ databaseUrl, script, tenants, jobs, patients });
    const loadBefore = loadavg()[0];
    const { told, measured } = await load(replay, databaseUrl, lanes);
    found.accepted.push(...replay.accepted);
    found.told += told;
    found.noted += replay.noted;
    found.auditRows += replay.auditRows;
    await assertNothingMissing(found);
    const { emptyClaims } = replay;
    yield { lanes, loadBefore, jobs: replay.accepted.length, emptyClaims, price: script.price, ...measured };
  }
  if (values.lose !== undefined) await assertLossIsNoticed(found, values.lose);
}

const machine = describeMachine();
console.log(JSON.stringify({ ...machine, ...values }));
const folder = await mkdtemp(join(tmpdir(), 'sutura-alone-'));
const { EmbeddedCluster } = await import(
  pathToFileURL(resolve(import.meta.dirname, '../../dist/src/platform/embedded-postgres/embedded-cluster.js')).href
);
const cluster = await EmbeddedCluster.open(folder, MAX_CONNECTIONS, SILENT, () => undefined);
let failed = false;
try {
  if (values['own-core']) await giveOwnCore(join(folder, 'postgres'));
  for await (const outcome of measureAll(cluster.url)) {
    console.log(describeAlone(outcome));
    if (outcome.ended !== undefined) keep({ id: 'postgres-alone', unit: 'jobs/s' }, outcome, machine, values);
  }
} catch (fault) {
  failed = true;
  console.log(`FAIL: ${fault.stack ?? fault}`);
}
await cluster.stop();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(failed ? 1 : 0);
