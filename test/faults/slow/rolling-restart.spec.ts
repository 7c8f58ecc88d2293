import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { countJobs, createJobs } from '../load.js';
import { verify } from '../verify.js';

/** Jobs that may wait before the load pauses: on a busy machine the restarts last longer, and what is left must still be done at the end. */
const BACKLOG = 40;

describe('stopping in order', () => {
  it('[F33] five rolling restarts under load: each ends within 30 s, and a client that retries sees no error', async () => {
    const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '150' };
    const keeper = await startGateway({ roles: 'api' });
    const start = () => startGateway({ databaseUrl: keeper.databaseUrl, dataDir: keeper.dataDir, env: slow });
    const client = await keeper.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const fleet: Gateway[] = [await start(), await start()];
    const clients = (): readonly ApiClient[] => fleet.map((gateway) => client.at(gateway.baseUrl));

    let restarting = true;
    const load = (async () => {
      const ids: string[] = [];
      while (restarting) {
        ids.push(...(await createJobs({ clients, imageId, count: 4, concurrency: 4 })));
        const hasRoom = async () => !restarting || (await countJobs(keeper.databaseUrl, 'queued')) <= BACKLOG;
        await eventually('the queue has room for more jobs', hasRoom, 300_000, 500);
      }
      return ids;
    })();
    try {
      for (let round = 0; round < 5; round += 1) {
        const leaving = fleet.shift() as Gateway;
        const began = performance.now();
        expect(await leaving.stop()).toEqual({ code: 0, signal: null });
        expect(performance.now() - began).toBeLessThan(30_000);
        fleet.push(await start());
      }
    } finally {
      restarting = false;
      // Its gateways must live as long as it does: else a failed stop would end in the complaint of a client that finds none.
      await load.catch(() => undefined);
    }
    const ids = await load;
    expect(ids.length).toBeGreaterThan(20);
    await verify(keeper, ids, { drainMs: 120_000 });
    await Promise.all(fleet.map((gateway) => gateway.stop()));
    await keeper.stop();
  }, 480_000);
});
