import { EhrReceiver } from '../../peers/mllp-receiver.js';
import { freePort } from '../../support/free-port.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Orders } from './hl7-orders.js';
import { HL7_ROUTE_ROWS, type Hl7RoutesGround } from './hl7-routes.rows.js';
import { callRoutes, requests } from './route-row.js';

let receiver: EhrReceiver;
let gateway: Gateway;
let ground: Hl7RoutesGround;

beforeAll(async () => {
  receiver = await EhrReceiver.start();
  gateway = await startGateway({ env: { SUTURA_LEASE_S: '30', SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' } });
  const peers = { gateway, organizationId: await gateway.createOrganization(), receiver, port: await freePort() };
  const orders = new Orders(peers);
  const made = { listenerId: '', destinationId: '', otherId: '', inboundId: '', outboundId: '' };
  ground = { ...peers, ...made, ask: requests(gateway), order: (mode, state) => orders.place(mode, state) };
});
afterAll(async () => {
  await gateway?.stop();
  await receiver?.stop();
});

callRoutes(HL7_ROUTE_ROWS, () => ground);
