import { ApiClient } from '../../support/api-client.js';
import { failedJob } from '../../support/failed-job.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { keepHeldItem } from '../../support/held-item.js';
import { makeClientKey } from '../../support/smart-client.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { PATIENT, type AdminGround } from './admin-ground.js';
import { ADMINISTRATION_ROWS } from './administration.rows.js';
import { callRoutes, requests } from './route-row.js';

let gateway: Gateway;
let ground: AdminGround;

beforeAll(async () => {
  gateway = await startGateway({ roles: 'api,worker', env: { SUTURA_EHR_NETWORKS: '127.0.0.0/8' } });
  const organizationId = await gateway.createOrganization();
  const client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  const job = await client.analyse(await drawWoundPhoto(), { subject: { patientId: PATIENT, woundId: 'W-1' } });
  const { id: reportId } = (await client.request('GET', job.links.report as string)).body as { id: string };
  const ids = { organizationId: '', keyId: '', clientId: '', userId: '', colleagueId: '' };
  ground = {
    gateway,
    ask: requests(gateway),
    organizationId,
    imageId: job.imageId as string,
    failedJobId: await failedJob(client, gateway.databaseUrl),
    reportId,
    heldId: await keepHeldItem(gateway.databaseUrl, organizationId),
    clientKey: await makeClientKey('ES384'),
    made: { ...ids, setupCode: '', cookie: '', csrfToken: '', secret: '' },
  };
});
afterAll(() => gateway?.stop());

callRoutes(ADMINISTRATION_ROWS, () => ground);
