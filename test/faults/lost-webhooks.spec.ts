import { WebhookReceiver } from '../peers/webhook-receiver.js';
import { expectStatus } from '../support/api-client.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway } from '../support/gateway.js';
import { createTestDatabase } from '../support/test-database.js';
import { drawWoundPhoto } from '../support/wound-photo.js';

const PHOTOS = 6;

it('loses no event and changes no order when the gateway is killed while it delivers', async () => {
  const database = await createTestDatabase();
  const receiver = await WebhookReceiver.start();
  const env = { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' };
  const first = await startGateway({ env, databaseUrl: database.url });
  try {
    const client = await first.createClient();
    const json = { url: receiver.url, types: ['report.ready'] };
    expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json }));
    // The first event is taken and never answered: its attempt is under way when the process dies.
    receiver.reply = () => undefined;
    for (let seed = 0; seed < PHOTOS; seed += 1) await client.analyse(await drawWoundPhoto({ seed }));
    await eventually('an attempt to be under way', () => receiver.received.length === 1);
    await first.kill();
    receiver.reply = 204;
    const second = await startGateway({ env, databaseUrl: database.url, dataDir: first.dataDir });
    try {
      const rows = () =>
        queryDatabase<{ subject_id: string; state: string }>(
          database.url,
          'select subject_id, state from webhook_deliveries order by number',
        );
      await eventually(
        'all to be delivered',
        async () => {
          const found = await rows();
          return found.length === PHOTOS && found.every(({ state }) => state === 'delivered');
        },
        60_000,
      );
      const [interrupted, ...delivered] = receiver.received.map(({ id }) => id);
      expect(delivered).toEqual((await rows()).map(({ subject_id }) => subject_id));
      expect(delivered[0]).toBe(interrupted);
    } finally {
      await second.stop();
    }
  } finally {
    await first.stop();
    await receiver.stop();
    await database.drop();
  }
}, 180_000);
