import { readFileSync } from 'node:fs';
import '../../../src/standards/fhir/definitions/websocket.js';
import { MedplumClient } from '@medplum/core';
import type { Bundle, Patient } from '@medplum/fhirtypes';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

/** The examples of the section about scale, findings and order. */
const SECTION = readFileSync('docs/conformance/fhir.md', 'utf8')
  .split('## From photo to figure')[1]!
  .split('\n## ')[0]!;
const [scale, depth, order] = [...SECTION.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text!) as { resourceType: string },
);

describe('a client that goes by the documentation', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });

  it('gives a photo its scale and the depth of the wound, and orders its analysis', async () => {
    const patient = { resourceType: 'Patient', id: 'example-patient' };
    const photo = {
      resourceType: 'Media',
      id: 'example-photo',
      status: 'completed',
      subject: { reference: 'Patient/example-patient' },
      content: { contentType: 'image/jpeg', data: Buffer.from(await drawSmallWoundPhoto()).toString('base64') },
    };
    for (const resource of [patient, photo])
      expectStatus(
        201,
        await client.request('PUT', `/fhir/${resource.resourceType}/${resource.id}`, { json: resource }),
      );
    for (const resource of [scale!, depth!, order!])
      expectStatus(201, await client.request('POST', `/fhir/${resource.resourceType}`, { json: resource }));
    const [task] = (expectStatus(200, await client.request('GET', '/fhir/Task?patient=example-patient')).body as Bundle)
      .entry!;
    expect(task!.resource).toMatchObject({
      resourceType: 'Task',
      status: expect.stringMatching(/^(accepted|in-progress|completed)$/),
    });
    const ofClient = 'select * from analysis_jobs where organization_id = $1';
    const [job] = await queryDatabase(gateway.databaseUrl, ofClient, [organizationId]);
    expect(job).toMatchObject({ mm_per_pixel: 0.2, clinician_observations: { depthCm: 0.8 } });
  });

  it('keeps its resources by Medplum’s client: upsert by an identifier, update by an id of its own', async () => {
    const medplum = new MedplumClient({
      baseUrl: `${gateway.baseUrl}/`,
      fhirUrlPath: 'fhir',
      accessToken: client.key!,
      fetch,
    });
    const wanted: Patient = {
      resourceType: 'Patient',
      identifier: [{ system: 'urn:oid:1.2.3', value: 'U-1' }],
      name: [{ family: 'Muster' }],
    };
    const made = await medplum.upsertResource(wanted, 'identifier=urn:oid:1.2.3|U-1');
    const again = await medplum.upsertResource({ ...wanted, gender: 'female' }, 'identifier=urn:oid:1.2.3|U-1');
    expect(again).toMatchObject({ id: made.id, gender: 'female', meta: { versionId: '2' } });
    const own = await medplum.updateResource<Patient>({ resourceType: 'Patient', id: 'of-mine', active: true });
    expect(own).toMatchObject({ id: 'of-mine', meta: { versionId: '1' } });
    expect(await medplum.readResource('Patient', 'of-mine')).toMatchObject({ id: 'of-mine', active: true });
  });
});
