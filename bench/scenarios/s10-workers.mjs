import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startRawLoops } from '../lib/raw-loop.mjs';
import { geometricMean } from '../lib/statistics.mjs';
import { createTenants } from '../lib/tenants.mjs';

const PHOTO = '1 MP';

/** What a second inference process brings, against what a second raw loop brings on the same cores. */
export const s10 = {
  id: 's10',
  name: 'one worker to two',
  unit: 'ratio of scalings',
  goal: 'at least 0.9 of the raw loop’s own scaling',
  async run({ postgres, secs, rounds, model }) {
    const photos = await drawPhotos([PHOTO]);
    const loops = await startRawLoops(2, [PHOTO], model);
    const one = await openService(postgres, model, 1);
    const two = await openService(postgres, model, 2);
    const rates = { one: [], two: [], rawOne: [], rawTwo: [] };
    const flows = async (service) => (await runImageFlows({ ...service, photos, secs })).perSecond;
    for (let round = 0; round < rounds; round += 1) {
      rates.one.push(await flows(one));
      rates.rawOne.push((await loops.run(secs, 1)).perSecond);
      rates.rawTwo.push((await loops.run(secs, 2)).perSecond);
      rates.two.push(await flows(two));
      rates.two.push(await flows(two));
      rates.rawTwo.push((await loops.run(secs, 2)).perSecond);
      rates.rawOne.push((await loops.run(secs, 1)).perSecond);
      rates.one.push(await flows(one));
    }
    await Promise.all([loops.stop(), one.gateway.stop(), two.gateway.stop()]);
    const scaling = geometricMean(rates.two) / geometricMean(rates.one);
    const rawScaling = geometricMean(rates.rawTwo) / geometricMean(rates.rawOne);
    return {
      scaling,
      rawScaling,
      ratio: scaling / rawScaling,
      ratios: [scaling / rawScaling],
      passed: scaling / rawScaling >= 0.9,
    };
  },
};

async function openService(postgres, model, processes) {
  const databaseUrl = await postgres.createDatabase();
  const gateway = await startGateway({
    databaseUrl,
    env: { SUTURA_WORKER_PROCESSES: String(processes), SUTURA_SEGMENTATION_MODEL: model },
  });
  const [tenant] = await createTenants(gateway, 1);
  return { gateway, databaseUrl, tenant, processes };
}
