import { cpus } from 'node:os';
import { processorMs } from '../budget/costs.mjs';
import { compareAbba } from '../lib/abba.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { startWebhookReceiver } from '../lib/webhook-receiver.mjs';
import { createWebhook } from './s12-webhooks.mjs';

const MOST_COST = 0.02;
/** Each connection plans a statement anew until its sixth run, and code is compiled while it is used: a gateway runs for weeks. */
const WARM_UP_S = 45;

const TYPES = ['analysis.completed', 'report.ready'];
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'webhooks:manage'];

const PROCESSES = ['gatewayMs', 'inferenceMs', 'postgresMs'];
/** All processor time of a photo, in that of its inference, which has no part in it: cores are a fifth faster in one minute than in another. */
const inInferences = (spent) => PROCESSES.reduce((sum, name) => sum + spent[name], 0) / spent.inferenceMs;

/** s1 of an organization that has an endpoint for each photo's two events, against one that has none, on one gateway. */
export const s16 = {
  id: 's16',
  name: 'webhooks beside photos',
  unit: 'images/s',
  goal: `at most ${MOST_COST * 100} % more processor time for each photo than without an endpoint; its receiver's is not counted`,
  async run({ postgres, secs, rounds, model }) {
    const processes = cpus().length;
    const photos = await drawPhotos();
    const databaseUrl = await postgres.createDatabase();
    const env = {
      SUTURA_WORKER_PROCESSES: String(processes),
      SUTURA_SEGMENTATION_MODEL: model,
      SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
    };
    const gateway = await startGateway({ databaseUrl, env });
    const receiver = await startWebhookReceiver();
    try {
      const [told, silent] = await createTenants(gateway, 2, SCOPES);
      await createWebhook(gateway, told, receiver.url, TYPES);
      const nothing = { images: 0, ...Object.fromEntries(PROCESSES.map((name) => [name, 0])) };
      const spentOn = new Map([told, silent].map((tenant) => [tenant, { ...nothing }]));
      const flowsOf = (tenant) => async () => {
        const spent = spentOn.get(tenant);
        const before = processorMs(gateway.child.pid, databaseUrl);
        const run = await runImageFlows({ gateway, databaseUrl, tenant, photos, processes, secs });
        const after = processorMs(gateway.child.pid, databaseUrl);
        for (const name of PROCESSES) spent[name] += after[name] - before[name];
        spent.images += run.images;
        return run.perSecond;
      };
      await runImageFlows({ gateway, databaseUrl, tenant: told, photos, processes, secs: WARM_UP_S });
      // As the database does by itself within a minute: plans made for an empty table read all of a full one.
      await query(databaseUrl, 'analyze');
      const eventsBefore = receiver.count;
      const compared = await compareAbba(rounds, { ours: flowsOf(told), floor: flowsOf(silent) });
      const events = receiver.count - eventsBefore;
      const { images } = spentOn.get(told);
      // The last events of a run may arrive in the next one.
      if (events < images * TYPES.length * 0.95) throw new Error(`${images} photos, ${events} events arrived`);
      const [msEach, silentMsEach] = [told, silent].map((tenant) => {
        const spent = spentOn.get(tenant);
        return Object.fromEntries(PROCESSES.map((name) => [name, spent[name] / spent.images]));
      });
      const added = inInferences(msEach) / inInferences(silentMsEach) - 1;
      const processorMsEach = { told: msEach, silent: silentMsEach };
      return { ...compared, images, events, processorMsEach, added, passed: added <= MOST_COST };
    } finally {
      receiver.close();
      await gateway.stop();
    }
  },
};
