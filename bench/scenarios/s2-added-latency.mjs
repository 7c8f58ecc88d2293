import { startGateway } from '../lib/gateway.mjs';
import { assertAllCompleted } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startRawLoops } from '../lib/raw-loop.mjs';
import { describeLatencies, median } from '../lib/statistics.mjs';
import { createJob, createTenants, uploadPhoto, waitForJob } from '../lib/tenants.mjs';

const PHOTO = '1 MP';

/** One image at a time on an idle service: from the create request to the completed job in the caller's hand, less the bare work. */
export const s2 = {
  id: 's2',
  name: 'added latency',
  unit: 'ms',
  goal: 'p50 at most 25 ms and p95 at most 60 ms over the raw loop',
  async run({ postgres, secs, rounds, model }) {
    const photos = await drawPhotos([PHOTO]);
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({
      databaseUrl,
      env: { SUTURA_WORKER_PROCESSES: '1', SUTURA_SEGMENTATION_MODEL: model },
    });
    const [tenant] = await createTenants(gateway, 1);
    const loops = await startRawLoops(1, [PHOTO], model);
    const jobIds = [];
    const added = [];
    await timeJobs(gateway, tenant, photos[0], 1, []);
    for (let round = 0; round < rounds; round += 1) {
      const first = await timeJobs(gateway, tenant, photos[0], secs, jobIds);
      const floorMs = median((await loops.run(secs * 2)).durationsMs);
      const second = await timeJobs(gateway, tenant, photos[0], secs, jobIds);
      added.push(...[...first, ...second].map((tookMs) => tookMs - floorMs));
    }
    await assertAllCompleted(databaseUrl, jobIds);
    await loops.stop();
    await gateway.stop();
    const latencies = describeLatencies(added);
    return {
      addedMs: latencies,
      ratio: null,
      images: jobIds.length,
      passed: latencies.p50 <= 25 && latencies.p95 <= 60,
    };
  },
};

/** Milliseconds from create to the completed answer, image after image for `secs`; the photo is uploaded before the clock starts. */
async function timeJobs(gateway, tenant, photo, secs, jobIds) {
  const durationsMs = [];
  const end = performance.now() + secs * 1000;
  while (performance.now() < end) {
    const imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    const began = performance.now();
    const jobId = await createJob(gateway, tenant, imageId);
    await waitForJob(gateway, tenant, jobId);
    durationsMs.push(performance.now() - began);
    jobIds.push(jobId);
  }
  return durationsMs;
}
