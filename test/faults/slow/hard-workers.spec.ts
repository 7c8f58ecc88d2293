import { crc32, deflateSync } from 'node:zlib';
import type { ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { countJobs, createJobs } from '../load.js';
import { verify } from '../verify.js';

const MARKER = 'POISONED-PHOTO';

describe('workers under hard photos', () => {
  let gateway: Gateway;
  let client: ApiClient;
  afterEach(() => gateway?.stop());

  async function start(env: Record<string, string>): Promise<void> {
    gateway = await startGateway({ env: { SUTURA_FP_MARKER: MARKER, ...env } });
    client = await gateway.createClient();
  }

  it('[F3] twenty jobs, ten kills of inference processes: nothing lost, nothing twice', async () => {
    gateway = await startGateway({
      env: { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '200', SUTURA_WORKER_PROCESSES: '2' },
    });
    client = await gateway.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    const ids = await createJobs({ clients: () => [client], imageId, count: 20 });
    for (let kills = 0; kills < 10; kills += 1) {
      const done = await countJobs(gateway.databaseUrl, 'completed');
      if (done > 18) break;
      const pids = await eventually('inference processes', () =>
        gateway.process.inferencePids().length > 0 ? gateway.process.inferencePids() : undefined,
      );
      process.kill(pids[kills % pids.length] as number, 'SIGKILL');
      await eventually('work goes on', async () => (await countJobs(gateway.databaseUrl, 'completed')) > done, 30_000);
    }
    await verify(gateway, ids);
  }, 180_000);

  it('[F23] a picture of 400 megapixels in a small file is stored, refused at creation, and the service lives', async () => {
    await start({});
    const bomb = drawDecodeBomb(20_000);
    const refused = await client.createJob({ imageId: await client.uploadPhoto(bomb) });
    expect([refused.status, refused.body.code]).toEqual([422, 'image.unreadable']);
    const job = await client.analyse(await drawWoundPhoto());
    expect(job.status).toBe('completed');
    await verify(gateway, [job.id]);
  });

  it('[F23] a photo that eats memory: its process is replaced, the job ends as an error, the others complete', async () => {
    await start({ SUTURA_FP: 'child_decode:allocate', SUTURA_WORKER_MAX_RSS_MIB: '512' });
    const sound = await client.uploadPhoto(await drawWoundPhoto());
    const greedy = await client.startJob({
      imageId: await client.uploadPhoto(await drawWoundPhoto({ description: MARKER })),
    });
    const ids = [greedy.id as string, ...(await createJobs({ clients: () => [client], imageId: sound, count: 8 }))];
    expect(await client.waitForJob(greedy.id, 90_000)).toMatchObject({
      status: 'error',
      attempts: 3,
      error: { code: 'processing.failed' },
    });
    await verify(gateway, ids, { mayFail: [greedy.id] });
  }, 180_000);

  it('[F24] a photo that never ends: stopped at the limit, it waits and is tried again while others complete, then an error', async () => {
    await start({ SUTURA_FP: 'child_decode:hang', SUTURA_JOB_TIMEOUT_MS: '1500' });
    const sound = await client.uploadPhoto(await drawWoundPhoto());
    const endless = await client.startJob({
      imageId: await client.uploadPhoto(await drawWoundPhoto({ description: MARKER })),
    });
    const ids = [endless.id as string, ...(await createJobs({ clients: () => [client], imageId: sound, count: 8 }))];
    const stateOf = async (id: string) => {
      const select = 'select status, timeouts, own_timeouts as own from analysis_jobs where id = $1';
      const [row] = await queryDatabase<{ status: string; timeouts: number; own: number }>(
        gateway.databaseUrl,
        select,
        [id],
      );
      return row!;
    };
    for (let timeouts = 1; timeouts < 5; timeouts += 1) {
      const state = await eventually('it timed out', async () => {
        const now = await stateOf(endless.id);
        return now.status !== 'processing' && now.timeouts >= timeouts ? now : undefined;
      });
      if (state.status === 'error') break;
      ids.push((await client.analyse(await drawWoundPhoto())).id);
      await queryDatabase(gateway.databaseUrl, 'update analysis_jobs set not_before = now() where id = $1', [
        endless.id,
      ]);
    }
    expect(await stateOf(endless.id)).toMatchObject({ status: 'error', own: 3 });
    expect(await client.waitForJob(endless.id)).toMatchObject({
      status: 'error',
      error: { code: 'processing.timeout', retryable: true },
    });
    await verify(gateway, ids, { mayFail: [endless.id] });
  }, 180_000);
});

/** A whole and correct PNG of one-bit black, `side` pixels square: some kilobytes that unfold to `side`² pixels. */
function drawDecodeBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
