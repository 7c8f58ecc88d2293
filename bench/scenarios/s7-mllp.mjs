import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { compareAbba } from '../lib/abba.mjs';
import { endProcess, startFloor } from '../lib/child-program.mjs';
import { memoryOf, startGateway } from '../lib/gateway.mjs';
import { openListener } from '../lib/hl7-listener.mjs';
import { resultMessages } from '../lib/hl7-messages.mjs';
import { loadMllp, timeMllp } from '../lib/load-mllp.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createJob, createTenants, uploadPhoto } from '../lib/tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-mllp-insert.mjs');
const PEERS = resolve(import.meta.dirname, '../peers');
const CONNECTIONS = 10;
const POOL = 16;
const SHARE_OF_FLOOR = 0.6;
const SHARE_OF_PEER = 0.4;
const ORIGINAL_P99_MS = 2000;
const QUIET_PER_S = 50;

/** ORU^R01 of 12 segments over ten connections: kept before they are acknowledged; and mapped before, in original mode. */
export const s7 = {
  id: 's7',
  name: 'MLLP, kept and acknowledged',
  unit: 'messages/s',
  goal: `enhanced mode at least ${SHARE_OF_FLOOR} of a raw listener that inserts, and ${SHARE_OF_PEER} of simple-hl7 where it is installed; original mode p99 at most ${ORIGINAL_P99_MS} ms; p99 under saturated workers at most max(3 × idle, 50 ms)`,
  async run({ postgres, secs, rounds, model }) {
    const throughput = await compareThroughput({ postgres, secs, rounds });
    const besideWork = await timeBesideWork({ postgres, secs: secs * rounds, model });
    const { ratio, peer, original } = throughput;
    const passed =
      ratio >= SHARE_OF_FLOOR &&
      (typeof peer !== 'object' || peer.ratio >= SHARE_OF_PEER) &&
      original.p99 <= ORIGINAL_P99_MS &&
      besideWork.saturatedMs.p99 <= besideWork.limitMs;
    return { ...throughput, ...besideWork, passed };
  },
};

async function compareThroughput({ postgres, secs, rounds }) {
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startGateway({
    databaseUrl,
    env: { SUTURA_ROLES: 'api,hl7', SUTURA_DATABASE_POOL: String(POOL) },
  });
  const [tenant] = await createTenants(gateway, 1);
  const port = await openListener(gateway, tenant);
  const floor = await startFloor(FLOOR, { databaseUrl, poolSize: POOL });
  const peer = existsSync(resolve(PEERS, 'node_modules/simple-hl7'))
    ? await startFloor(resolve(PEERS, 'simple-hl7.mjs'), {})
    : null;
  const seen = { acknowledged: 0, p50: 0, p99: 0 };
  const load = (to, expected, messageOf) => loadMllp({ port: to, connections: CONNECTIONS, secs, messageOf, expected });

  // First: what enhanced mode has accepted is still being mapped when it ends.
  const original = await load(port, 'AA', resultMessages({ enhanced: false }));
  seen.acknowledged += original.acknowledged;
  const enhanced = resultMessages({ enhanced: true });
  const memoryMiB = [memoryOf(gateway.child.pid).gatewayMiB];
  const ours = async () => {
    const run = await load(port, 'CA', enhanced);
    seen.acknowledged += run.acknowledged;
    seen.p50 = Math.max(seen.p50, run.p50);
    seen.p99 = Math.max(seen.p99, run.p99);
    memoryMiB.push(memoryOf(gateway.child.pid).gatewayMiB);
    return run.perSecond;
  };
  // What ours has accepted is mapped behind its answers, and must not slow the other side.
  const bare = (side, expected) => () =>
    gateway.pausedDuring(async () => (await load(side.port, expected, resultMessages({ enhanced: true }))).perSecond);
  const compared = await compareAbba(rounds, { ours, floor: bare(floor, 'CA') });
  const beside = peer === null ? null : await compareAbba(rounds, { ours, floor: bare(peer, 'AA') });
  await assertKept(databaseUrl, seen.acknowledged);
  for (const side of [floor, peer]) if (side !== null) await endProcess(side.child, 'SIGKILL');
  await gateway.stop();
  return {
    ...compared,
    peer: beside === null ? 'not installed' : { ratio: beside.ratio, rate: beside.floor },
    p50: seen.p50,
    p99: seen.p99,
    kept: seen.acknowledged,
    memoryMiB,
    original: { perSecond: original.perSecond, p50: original.p50, p99: original.p99 },
  };
}

/** Every acknowledged message is there once, and none of them failed. */
async function assertKept(databaseUrl, acknowledged) {
  const [{ kept, controlIds, failed }] = await query(
    databaseUrl,
    `select count(*)::int as kept, count(distinct control_id)::int as "controlIds", (count(*) filter (where state = 'failed'))::int as failed from hl7_inbound`,
  );
  if (kept !== acknowledged || controlIds !== kept || failed > 0)
    throw new Error(
      `${acknowledged} messages were acknowledged, ${kept} are kept with ${controlIds} ids, ${failed} failed.`,
    );
}

/** Gentle sending in original mode to an idle service, and beside a backlog that keeps every inference process busy. */
async function timeBesideWork({ postgres, secs, model }) {
  const databaseUrl = await postgres.createDatabase();
  const env = {
    SUTURA_DATABASE_POOL: String(POOL),
    SUTURA_WORKER_PROCESSES: String(cpus().length),
    SUTURA_SEGMENTATION_MODEL: model,
  };
  const gateway = await startGateway({ databaseUrl, env });
  const [tenant] = await createTenants(gateway, 1);
  const port = await openListener(gateway, tenant);
  const [photo] = await drawPhotos(['1 MP']);
  const imageId = await uploadPhoto(gateway, tenant, photo.bytes);
  const send = () =>
    timeMllp({ port, secs, perSecond: QUIET_PER_S, messageOf: resultMessages({ enhanced: false }), expected: 'AA' });
  const idle = await send();
  for (let left = cpus().length * Math.max(20, Math.ceil(secs * 12)); left > 0; left -= 1)
    await createJob(gateway, tenant, imageId);
  const saturated = await send();
  const [{ waiting }] = await query(
    databaseUrl,
    `select count(*)::int as waiting from analysis_jobs where status = 'queued'`,
  );
  if (waiting === 0) throw new Error('The workers ran out of work during the measurement; the backlog was too small.');
  await assertKept(databaseUrl, idle.acknowledged + saturated.acknowledged);
  await gateway.stop();
  const idleMs = describeLatencies(idle.latenciesMs);
  return { idleMs, saturatedMs: describeLatencies(saturated.latenciesMs), limitMs: Math.max(3 * idleMs.p99, 50) };
}
