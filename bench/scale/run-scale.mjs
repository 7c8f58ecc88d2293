// npm run bench:scale -- [--fleets 1x2,2x2,…] [--secs N] [--lanes N] [--wait-ms N] [--slots N] [--store s3|local] [--kills N]
//   [--namespaces]
// A fleet is GATEWAYSxWORKERS. Workers wait instead of computing models, so that all else is loaded. docs/scaling.md says what was measured.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startRedisServer } from '../../test/support/redis-server.mjs';
import { ask, endProcess, startFloor } from '../lib/child-program.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startPostgres } from '../lib/postgres-server.mjs';
import { describeMachine, keep } from '../lib/report.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { Load } from './drive-load.mjs';
import { startFleet } from './fleet.mjs';
import { assertNothingLost } from './nothing-lost.mjs';
import { killAtRandom } from './random-kills.mjs';
import { describeFleet } from './describe-fleet.mjs';
import { isInOwnNetwork, openHosts, startAgainInOwnNetwork } from './namespaces.mjs';
import { watchFleet } from './watch-fleet.mjs';

const STORE = resolve(import.meta.dirname, 'object-store.mjs');
/** Compiled code, connections and caches of a gateway are ready after this. */
const WARM_UP_MS = 3000;
const IDLE_MS = 5000;
const ORGANIZATIONS = 20;
const LEASE_S = 60;
/** What a killed worker held is soon another's. */
const LEASE_AFTER_KILLS_S = 2;
const { values } = parseArgs({
  options: {
    fleets: { type: 'string', default: '1x2,2x2,3x2,2x1,2x4' },
    secs: { type: 'string', default: '10' },
    lanes: { type: 'string', default: '48' },
    'wait-ms': { type: 'string', default: '100' },
    slots: { type: 'string', default: '16' },
    store: { type: 'string', default: 's3' },
    // members to kill at random, instead of measuring
    kills: { type: 'string', default: '0' },
    // each member in a network namespace of its own, as on a machine of its own; Linux, as root
    namespaces: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
if (values.namespaces && !isInOwnNetwork()) await startAgainInOwnNetwork();
const hosts = values.namespaces ? await openHosts() : undefined;

/** Starts one fleet and its store, tries it, and ends them. */
async function withFleet([gateways, workers], { postgres, redis, photo, secs }) {
  const databaseUrl = await postgres.createDatabase();
  const store = values.store === 's3' ? await startFloor(STORE, { address: hosts?.address }) : undefined;
  const fleet = await startFleet({
    gateways,
    workers,
    leaseS: kills > 0 ? LEASE_AFTER_KILLS_S : LEASE_S,
    databaseUrl,
    redisUrl: redis.url,
    hosts,
    storage: store?.environment ?? {},
    waiting: { waitMs: Number(values['wait-ms']), slots: Number(values.slots) },
  });
  try {
    return { gateways, workers, ...(await tryFleet({ fleet, store, databaseUrl, redisUrl: redis.url, photo, secs })) };
  } finally {
    await fleet.stop();
    if (store !== undefined) await endProcess(store.child, 'SIGKILL');
  }
}

/** The fleet under load for `secs`, or until it was killed often enough; what it did and took. */
async function tryFleet({ fleet, store, databaseUrl, redisUrl, photo, secs }) {
  const tenants = await createTenants(fleet.processesOf('gateway')[0], ORGANIZATIONS);
  const watched = { fleet, databaseUrl, redisUrl, storePid: store?.child.pid };
  const idle = kills > 0 ? undefined : await whileIdle(watched);
  const load = new Load({ doors: fleet.doors, tenants, photo });
  const running = load.run(Number(values.lanes));
  // Its fault comes out of the wait for its end; until then others may be waited for.
  running.catch(() => undefined);
  await Promise.race([pause(WARM_UP_MS), running]);
  const measured =
    kills > 0 ? { kills: await killAtRandom(fleet, kills) } : await measure({ ...watched, load, running, secs });
  load.stop();
  await running;
  const settings = { ...fleet.settings, REDIS_URL: redisUrl };
  const found = await assertNothingLost({ databaseUrl, settings, accepted: load.accepted });
  if (kills === 0 && load.repeated.length + found.repeated > 0)
    throw new Error(
      `${load.repeated.length} requests and ${found.repeated} jobs had to be repeated, though nothing was killed. ${load.repeated.join('; ')}`,
    );
  const kept = store === undefined ? undefined : await ask(store, 'usage');
  return {
    ...measured,
    idle,
    storeBytesPerJob: kept && kept.bytes / found.jobs,
    repeats: load.repeated.length,
    ...found,
  };
}

/** What the fleet takes when nobody asks it for anything: looks for jobs, events and messages. */
async function whileIdle(watched) {
  const watch = await watchFleet(watched);
  await pause(IDLE_MS);
  return watch.end();
}

/** Jobs whose end a client saw, and what the machine did, between two moments under full load. */
async function measure({ load, running, secs, ...watched }) {
  const watch = await watchFleet(watched);
  const [endedBefore, seenBefore] = [load.ended, load.latenciesMs.length];
  await Promise.race([pause(secs * 1000), running]);
  const ended = load.ended - endedBefore;
  const latencies = describeLatencies(load.latenciesMs.slice(seenBefore));
  const taken = await watch.end();
  return { perSecond: (ended / taken.tookMs) * 1000, ended, latencies, ...taken };
}

const fleets = values.fleets.split(',').map((text) => text.split('x').map(Number));
const [photo] = await drawPhotos(['1 MP']);
const machine = describeMachine();
console.log(JSON.stringify({ ...machine, photoBytes: photo.bytes.length, ...values }));
const [postgres, redis] = await Promise.all([startPostgres(hosts?.address), startRedisServer(hosts?.address)]);
let failures = 0;
for (const fleet of fleets) {
  const loadBefore = loadavg()[0];
  try {
    const outcome = await withFleet(fleet, { postgres, redis, photo: photo.bytes, secs: Number(values.secs) });
    console.log(describeFleet(outcome));
    keep({ id: kills > 0 ? 'scale-kills' : 'scale', unit: 'jobs/s' }, { ...outcome, loadBefore }, machine, values);
  } catch (fault) {
    failures += 1;
    console.log(`${fleet.join('x')}: FAIL: ${fault.stack ?? fault}`);
  }
}
await Promise.all([postgres.stop(), redis.stop()]);
process.exit(failures === 0 ? 0 : 1);
