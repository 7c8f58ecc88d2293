import { EhrReceiver } from '../../peers/mllp-receiver.js';
import { freePort } from '../../support/free-port.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Orders } from './hl7-orders.js';
import { HL7_ROUTE_ROWS, type Hl7RoutesGround } from './hl7-routes.rows.js';
import { callRoutes, requests } from './route-row.js';

let receiver: EhrReceiver;
let gateway: SharedGateway;
let ground: Hl7RoutesGround;

beforeAll(async () => {
  receiver = await EhrReceiver.start();
  gateway = await sharedGateway();
  const peers = { gateway, organizationId: await gateway.createOrganization(), receiver, port: await freePort() };
  const orders = new Orders(peers);
  const made = { listenerId: '', destinationId: '', otherId: '', inboundId: '', outboundId: '' };
  ground = { ...peers, ...made, ask: requests(gateway), order: (mode, state) => orders.place(mode, state) };
});
afterAll(async () => {
  await receiver?.stop();
});

callRoutes(HL7_ROUTE_ROWS, () => ground);
