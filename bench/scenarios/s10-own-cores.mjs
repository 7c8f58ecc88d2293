import { cpus } from 'node:os';
import { inferenceChildrenOf, keepOnCores, keepTreeOnCores, serverPidOf } from '../lib/cores.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startRawLoops } from '../lib/raw-loop.mjs';
import { geometricMean } from '../lib/statistics.mjs';
import { createTenants } from '../lib/tenants.mjs';

const PHOTO = '1 MP';
/** API, PostgreSQL and the load generator. */
const CONTROL_CORE = 0;

/**
 * What a worker reaches of a raw loop where each has a core for itself, and API, PostgreSQL and the load generator share another. With one worker on
 * two cores, and with as many as there are other cores on larger machines.
 */
export const s10OwnCores = {
  id: 's10c',
  name: 'workers on their own cores',
  unit: 'ratio of images/s',
  goal: 'at least 0.90 of raw loops on the same cores',
  async run({ postgres, secs, rounds, model }) {
    const cores = Array.from({ length: cpus().length }, (_, core) => core).filter((core) => core !== CONTROL_CORE);
    if (cores.length === 0) throw new Error('One core cannot be shared out.');
    const photos = await drawPhotos([PHOTO]);
    const service = await startPinned(postgres, model, cores);
    const loops = await startRawLoops(cores.length, [PHOTO], model);
    loops.pids.forEach((pid, at) => keepOnCores(pid, [cores[at]]));
    const rates = { ours: [], raw: [] };
    const flows = async () => (await runImageFlows({ ...service, photos, secs, processes: cores.length })).perSecond;
    const raw = async () => (await loops.run(secs)).perSecond;
    await flows();
    for (let round = 0; round < rounds; round += 1) {
      rates.ours.push(await flows());
      rates.raw.push(await raw(), await raw());
      rates.ours.push(await flows());
    }
    await Promise.all([loops.stop(), service.gateway.stop()]);
    keepOnCores(process.pid, [CONTROL_CORE, ...cores]);
    keepTreeOnCores(await serverPidOf(service.databaseUrl), [CONTROL_CORE, ...cores]);
    const ours = geometricMean(rates.ours);
    const floor = geometricMean(rates.raw);
    return {
      workers: cores.length,
      ours,
      floor,
      ratio: ours / floor,
      ratios: [ours / floor],
      passed: ours / floor >= 0.9,
    };
  },
};

async function startPinned(postgres, model, cores) {
  const databaseUrl = await postgres.createDatabase();
  keepOnCores(process.pid, [CONTROL_CORE]);
  keepTreeOnCores(await serverPidOf(databaseUrl), [CONTROL_CORE]);
  const gateway = await startGateway({
    databaseUrl,
    env: { SUTURA_WORKER_PROCESSES: String(cores.length), SUTURA_SEGMENTATION_MODEL: model },
  });
  keepOnCores(gateway.child.pid, [CONTROL_CORE]);
  const inference = inferenceChildrenOf(gateway.child.pid);
  if (inference.length !== cores.length)
    throw new Error(`${inference.length} inference processes instead of ${cores.length}.`);
  inference.forEach((pid, at) => keepTreeOnCores(pid, [cores[at]]));
  const [tenant] = await createTenants(gateway, 1);
  return { gateway, databaseUrl, tenant };
}
