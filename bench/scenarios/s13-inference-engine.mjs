import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTriton } from '../../test/support/triton-server.mjs';
import { compareAbba } from '../lib/abba.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { createTenants } from '../lib/tenants.mjs';

const EXPORT = resolve(import.meta.dirname, '../../dist/tools/export-models.js');
const WARM_UP_S = 2;
const GOAL = 0.85;

/** Whole flows with the models computed by Triton on this machine, against the same with the models in the inference processes. */
export const s13 = {
  id: 's13',
  name: 'models through Triton',
  unit: 'images/s',
  goal: 'at least 0.85 of local models',
  async run({ postgres, secs, rounds, model }) {
    const python = process.env.SUTURA_TRITON_PYTHON;
    if (python === undefined)
      throw new Error('SUTURA_TRITON_PYTHON names no Python with nvidia-pytriton, onnxruntime and numpy.');
    const folder = await mkdtemp(join(tmpdir(), 'sutura-triton-'));
    const triton = await serve(python, folder, model);
    const photos = await drawPhotos();
    const local = await openService(postgres, { SUTURA_SEGMENTATION_MODEL: model });
    const remote = await openService(postgres, {
      SUTURA_SEGMENTATION_MODEL: model,
      SUTURA_EXECUTION_PROVIDERS: 'remote',
      SUTURA_INFERENCE_URL: triton.url,
    });
    const flows = async (service, lengthS) => (await runImageFlows({ ...service, photos, secs: lengthS })).perSecond;
    for (const service of [local, remote]) await flows(service, Math.min(WARM_UP_S, secs));
    const compared = await compareAbba(rounds, {
      ours: () => flows(remote, secs),
      floor: () => flows(local, secs),
    });
    await Promise.all([local.gateway.stop(), remote.gateway.stop()]);
    await triton.stop();
    await rm(folder, { recursive: true, force: true });
    return { ...compared, processes: local.processes, passed: compared.ratio >= GOAL };
  },
};

/** As many copies of each model as there are cores, each run a picture: on a processor a batch takes as long as its pictures one by one. */
async function serve(python, folder, model) {
  const repository = join(folder, 'repository');
  const args = ['--out', repository, '--instances', String(cpus().length)];
  const env = {
    ...process.env,
    SUTURA_SEGMENTATION_MODEL: model,
    SUTURA_BATCH_SIZE: '1',
    SUTURA_BATCH_DELAY_MS: '0',
  };
  const written = spawnSync(process.execPath, [EXPORT, ...args], { env, encoding: 'utf8' });
  if (written.status !== 0) throw new Error(`The models could not be exported: ${written.stderr}`);
  return startTriton(python, repository, folder);
}

async function openService(postgres, env) {
  const processes = cpus().length;
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startGateway({ databaseUrl, env: { SUTURA_WORKER_PROCESSES: String(processes), ...env } });
  const [tenant] = await createTenants(gateway, 1);
  return { gateway, databaseUrl, tenant, processes };
}
