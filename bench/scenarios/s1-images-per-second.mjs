import { cpus } from 'node:os';
import { compareAbba } from '../lib/abba.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startRawLoops } from '../lib/raw-loop.mjs';
import { createTenants } from '../lib/tenants.mjs';

const WARM_UP_S = 2;

/** Whole flows over HTTP against the bare loop with as many processes, everything on this machine. */
export const s1 = {
  id: 's1',
  name: 'images per second',
  unit: 'images/s',
  goal: 'at least 0.80 of the raw loop',
  async run({ postgres, secs, rounds, model }) {
    const processes = cpus().length;
    const photos = await drawPhotos();
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({
      databaseUrl,
      env: { SUTURA_WORKER_PROCESSES: String(processes), SUTURA_SEGMENTATION_MODEL: model },
    });
    const [tenant] = await createTenants(gateway, 1);
    const loops = await startRawLoops(
      processes,
      photos.map(({ name }) => name),
      model,
    );
    const flows = (lengthS) => runImageFlows({ gateway, databaseUrl, tenant, photos, processes, secs: lengthS });
    await flows(Math.min(WARM_UP_S, secs));
    let images = 0;
    const compared = await compareAbba(rounds, {
      ours: async () => {
        const run = await flows(secs);
        images += run.images;
        return run.perSecond;
      },
      floor: async () => (await loops.run(secs)).perSecond,
    });
    await loops.stop();
    await gateway.stop();
    return { ...compared, images, processes, passed: compared.ratio >= 0.8 };
  },
};
