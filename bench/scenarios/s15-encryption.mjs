import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareAbba } from '../lib/abba.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { loadHttp } from '../lib/load-http.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { childrenMs, readProcesses } from '../lib/processor-time.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { PHOTO_BYTES, drawPhotoOf, transaction } from './s6-fhir-transaction.mjs';

const MOST_COST = 0.03;
const WARM_UP_S = 3;
const CONNECTIONS = 20;

/** A gateway that encrypts what it keeps against one that does not, under the same load in turn; the other stands still meanwhile. */
async function compareEncryption({ postgres, env, secs, rounds, loadOf }) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-bench-keys-'));
  const keyFile = join(folder, 'encryption.keys');
  await writeFile(keyFile, `bench ${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const sideWith = async (more) => {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { ...env, ...more } });
    const [tenant] = await createTenants(gateway, 1);
    const load = loadOf({ gateway, databaseUrl, tenant });
    const side = { gateway, processorMs: 0, done: 0 };
    side.rate = async (lengthS) => {
      const before = processorMsOf(gateway);
      const { perSecond, done } = await load(lengthS);
      side.processorMs += processorMsOf(gateway) - before;
      side.done += done;
      return perSecond;
    };
    return side;
  };
  const encrypted = await sideWith({ SUTURA_ENCRYPTION: 'required', SUTURA_ENCRYPTION_KEY_FILE: keyFile });
  const clear = await sideWith({ SUTURA_ENCRYPTION: 'off' });
  try {
    const ours = () => clear.gateway.pausedDuring(() => encrypted.rate(secs));
    const floor = () => encrypted.gateway.pausedDuring(() => clear.rate(secs));
    await encrypted.rate(WARM_UP_S);
    await clear.rate(WARM_UP_S);
    const compared = await compareAbba(rounds, { ours, floor });
    const [msEach, clearMsEach] = [encrypted, clear].map(({ processorMs, done }) => processorMs / done);
    return {
      ...compared,
      processorMsEach: { encrypted: msEach, clear: clearMsEach },
      passed: compared.ratio >= 1 - MOST_COST,
    };
  } finally {
    await encrypted.gateway.stop();
    await clear.gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Processor time of a gateway and its inference processes until now. */
function processorMsOf({ child }) {
  const all = readProcesses();
  return all.get(child.pid).ms + childrenMs(all, child.pid);
}

/** What encryption at rest takes of s1. */
export const s15Photos = {
  id: 's15',
  name: 'encryption, photos',
  unit: 'images/s',
  goal: `at least ${1 - MOST_COST} of the same without encryption`,
  async run({ postgres, secs, rounds, model }) {
    const processes = cpus().length;
    const photos = await drawPhotos();
    const env = { SUTURA_WORKER_PROCESSES: String(processes), SUTURA_SEGMENTATION_MODEL: model };
    const loadOf = (side) => async (lengthS) => {
      const { perSecond, images } = await runImageFlows({ ...side, photos, processes, secs: lengthS });
      return { perSecond, done: images };
    };
    return compareEncryption({ postgres, env, secs, rounds, loadOf });
  },
};

/** What encryption at rest takes of s6. */
export const s15Transactions = {
  id: 's15t',
  name: 'encryption, transactions',
  unit: 'transactions/s',
  goal: `at least ${1 - MOST_COST} of the same without encryption`,
  async run({ postgres, secs, rounds }) {
    const body = JSON.stringify(transaction(await drawPhotoOf(PHOTO_BYTES)));
    const loadOf =
      ({ gateway, tenant }) =>
      async (lengthS) => {
        const headers = { 'content-type': 'application/fhir+json', authorization: tenant.authorization };
        const requests = [{ method: 'POST', path: '/fhir', headers, body }];
        const run = await loadHttp({ url: gateway.baseUrl, connections: CONNECTIONS, secs: lengthS, requests });
        return { perSecond: run.perSecond, done: run.answered };
      };
    return compareEncryption({ postgres, env: { SUTURA_ROLES: 'api' }, secs, rounds, loadOf });
  },
};
