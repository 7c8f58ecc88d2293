import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway } from '../lib/gateway.mjs';

const WAITING_WORKER = resolve(import.meta.dirname, 'waiting-worker.mjs');

/** One process of the fleet, and how to start it again. */
class Member {
  /** undefined: it is down. */
  process;

  constructor(kind, start) {
    this.kind = kind;
    this.start = async () => (this.process = await start());
  }

  async kill() {
    const { process } = this;
    this.process = undefined;
    await process.kill();
  }
}

/**
 * Gateways and workers as processes of this machine, each on a port of its own, or on a host of its own where there are `hosts`, over one PostgreSQL, one Redis and one object store.
 *
 * @param {{ gateways: number, workers: number, leaseS: number, databaseUrl: string, redisUrl: string, storage: Record<string, string>, waiting: { waitMs: number, slots: number }, hosts?: { add(): Promise<object> } }} wish
 */
export async function startFleet({ gateways, workers, leaseS, databaseUrl, redisUrl, storage, waiting, hosts }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sutura-scale-'));
  const env = { REDIS_URL: redisUrl, SUTURA_LEASE_S: String(leaseS), ...storage };
  const api = (host) => startGateway({ databaseUrl, dataDir, host, env: { ...env, SUTURA_ROLES: 'api' } });
  const worker = (host) =>
    startGateway({
      databaseUrl,
      dataDir,
      host,
      program: WAITING_WORKER,
      env: { ...env, SUTURA_ROLES: 'worker', BENCH_WAITING: JSON.stringify(waiting) },
    });
  const members = [];
  for (const [kind, start, count] of [
    ['gateway', api, gateways],
    ['worker', worker, workers],
  ])
    for (let made = 0; made < count; made += 1) {
      const host = await hosts?.add();
      members.push(new Member(kind, () => start(host)));
    }
  // One after another: the first migrates, and on few cores together is no quicker.
  for (const member of members) await member.start();
  const processesOf = (kind) => members.flatMap(({ kind: its, process }) => (its === kind && process ? [process] : []));
  return {
    members,
    processesOf,
    settings: { DATABASE_URL: databaseUrl, SUTURA_DATA_DIR: dataDir, ...storage },
    doors: () => processesOf('gateway').map(({ baseUrl }) => baseUrl),
    async stop() {
      await Promise.all(members.map(({ process }) => process?.stop()));
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
