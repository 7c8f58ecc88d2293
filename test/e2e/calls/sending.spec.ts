import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { callRoutes, requests } from './route-row.js';
import { SENDING_ROWS, type SendingGround } from './sending.rows.js';

let gateway: SharedGateway;
let receiver: WebhookReceiver;
let ground: SendingGround;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  gateway = await sharedGateway();
  const organizationId = await gateway.createOrganization();
  const { key } = await gateway.createKey(organizationId);
  const client = new ApiClient(gateway.baseUrl, key);
  let photos = 0;
  const analyse = async () => client.analyse(await drawWoundPhoto({ seed: (photos += 1) }));
  const made = { webhookId: '', secondId: '', deliveryId: '' };
  ground = { gateway, ask: requests(gateway), key, organizationId, receiver, analyse, ...made };
});
afterAll(async () => {
  await receiver?.stop();
});

callRoutes(SENDING_ROWS, () => ground);
