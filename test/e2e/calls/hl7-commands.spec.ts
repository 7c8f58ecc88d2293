import { EhrReceiver } from '../../peers/mllp-receiver.js';
import { freePort } from '../../support/free-port.js';
import { callCommands, CommandGround } from './command-row.js';
import { Orders } from './hl7-orders.js';
import { HL7_COMMAND_ROWS, type Hl7Ground } from './hl7-commands.rows.js';

let receiver: EhrReceiver;
let ground: Hl7Ground;

beforeAll(async () => {
  receiver = await EhrReceiver.start();
  const opened = await CommandGround.beside();
  const organizationId = await opened.gateway.createOrganization();
  const ids = { listenerId: '', destinationId: '', otherId: '', inboundId: '', outboundId: '' };
  const peers = { gateway: opened.gateway, organizationId, receiver, port: await freePort() };
  ground = Object.assign(opened, { ...peers, orders: new Orders(peers), made: ids });
});
afterAll(async () => {
  await ground?.close();
  await receiver?.stop();
});

callCommands(HL7_COMMAND_ROWS, () => ground);
