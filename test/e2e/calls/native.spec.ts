import { ApiClient, expectStatus } from '../../support/api-client.js';
import { ALL_SCOPES, type SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { keepHeldItem } from '../../support/held-item.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { NATIVE_ROWS, type NativeGround } from './native.rows.js';
import { callRoutes, requests } from './route-row.js';

let gateway: SharedGateway;
let ground: NativeGround;

beforeAll(async () => {
  gateway = await sharedGateway();
  const organizationId = await gateway.createOrganization();
  const wish = { environment: 'test', scopes: ALL_SCOPES, namesPersons: true };
  const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, wish);
  const key = expectStatus(201, made).body.key as string;
  const client = new ApiClient(gateway.baseUrl, key);
  for (const [seed, woundId] of ['W-2', 'W-3'].entries()) {
    // Two wounds of one day are not merged.
    const capturedAt = `2026-01-0${seed + 1}T09:00:00Z`;
    const subject = { patientId: 'MRN-1', woundId };
    await client.analyse(await drawWoundPhoto({ seed: seed + 2 }), { subject, capturedAt });
  }
  const { items } = expectStatus(200, await client.request('GET', '/api/v1/wounds?patientId=MRN-1')).body;
  const others = (items as { id: string }[]).map(({ id }) => id) as [string, string];
  // An earlier photo of the wound that the rows are about, to be compared with.
  const earlier = { subject: { patientId: 'MRN-1', woundId: 'W-1' }, calibration: { mmPerPixel: 0.2 } };
  await client.analyse(await drawWoundPhoto({ seed: 5 }), { ...earlier, capturedAt: '2026-01-01T09:00:00Z' });
  const empty = {
    imageId: '',
    jobId: '',
    reportId: '',
    woundId: '',
    eventId: '',
    relationId: '',
    etag: '',
    deskUrl: '',
  };
  const nothing = { upload: { url: '', headers: {} }, desk: { cookie: '', csrfToken: '' } };
  const heldId = await keepHeldItem(gateway.databaseUrl, organizationId);
  ground = { gateway, ask: requests(gateway), key, organizationId, heldId, others, ...empty, ...nothing };
});
callRoutes(NATIVE_ROWS, () => ground);
