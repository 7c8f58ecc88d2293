import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { ApiClient } from '../../support/api-client.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { callCommands, CommandGround } from './command-row.js';
import { DELIVERY_COMMAND_ROWS, type DeliveryGround } from './delivery-commands.rows.js';

let receiver: WebhookReceiver;
let ground: DeliveryGround;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const opened = await CommandGround.beside();
  const organizationId = await opened.gateway.createOrganization();
  const client = new ApiClient(opened.gateway.baseUrl, (await opened.gateway.createKey(organizationId)).key);
  const analyse = async () => client.analyse(await drawWoundPhoto());
  ground = Object.assign(opened, { organizationId, receiver, analyse, made: { webhookId: '', deliveryId: '' } });
});
afterAll(async () => {
  await ground?.close();
  await receiver?.stop();
});

callCommands(DELIVERY_COMMAND_ROWS, () => ground);
