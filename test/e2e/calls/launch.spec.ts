import { LaunchGround } from '../../support/launch-ground.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { LAUNCH_ROWS, type LaunchRouteGround } from './launch.rows.js';
import { callRoutes, requests } from './route-row.js';

let ground: LaunchRouteGround;

beforeAll(async () => {
  const gateway = await sharedGateway();
  const launches = await LaunchGround.start(gateway);
  await launches.register();
  const known = await launches.know(['W1']);
  ground = { gateway, ask: requests(gateway), launches, known, callback: { path: '' } };
});
afterAll(() => ground?.launches.ehr.stop());

callRoutes(LAUNCH_ROWS, () => ground);
