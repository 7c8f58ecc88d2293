import { expectStatus, type ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('a number that a person could not tell from another', () => {
  let gateway: SharedGateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  const uploaded = async (): Promise<string> => {
    return client.uploadPhoto(await drawWoundPhoto({ width: 300, height: 200 }));
  };

  it.each([
    ['patientId', { patientId: 'MRN\u200b-1' }, 'U+200B'],
    ['patientId', { patientId: 'MRN-1\u00a0' }, 'U+00A0'],
    ['patientId', { patientId: 'MRN-1 ' }, 'blank'],
    ['patientId', { patientId: '４711' }, 'U+FF14'],
    ['patientId', { patientId: 'u\u0308-1' }, 'NFC'],
    ['woundId', { patientId: 'MRN-1', woundId: 'W\u2060-1' }, 'U+2060'],
  ])('is refused over REST as %s', async (name, subject, words) => {
    const { status, body } = await client.createJob({ imageId: await uploaded(), subject });
    expect([status, body.code, body.errors]).toEqual([
      400,
      'request.invalid',
      [{ pointer: `/subject/${name}`, detail: expect.stringContaining(words) }],
    ]);
  });

  it.each([
    ['Patient', { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-\u200d1' }] }],
    [
      'ServiceRequest',
      {
        resourceType: 'ServiceRequest',
        status: 'active',
        intent: 'order',
        subject: { display: 'somebody' },
        identifier: [{ system: 'urn:oid:1.2.3', value: 'A-\u00ad1' }],
      },
    ],
  ])('is refused over FHIR on a %s, alone and in a transaction', async (type, resource) => {
    const alone = await client.request('POST', `/fhir/${type}`, { json: resource });
    expect([alone.status, alone.body.issue[0].expression[0]]).toEqual([422, `${type}.identifier[0].value`]);
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ resource, request: { method: 'POST', url: type } }],
    };
    const together = await client.request('POST', '/fhir', { json: bundle });
    expect([together.status, together.body.issue[0].expression[0]]).toEqual([
      422,
      `Bundle.entry[0].resource.identifier[0].value`,
    ]);
    expect(together.body.issue[0].details.text).toMatch(/U\+/);
  });

  it('may not come to a resource by an update, which keeps what it has', async () => {
    const created = expectStatus(
      201,
      await client.request('POST', '/fhir/Patient', {
        json: { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-7' }] },
      }),
    ).body;
    const identifier = [...created.identifier, { system: 'urn:oid:1.2.3', value: 'MRN-7\u200b' }];
    const changed = await client.request('PUT', `/fhir/Patient/${created.id}`, { json: { ...created, identifier } });
    expect([changed.status, changed.body.issue[0].expression[0]]).toEqual([422, 'Patient.identifier[1].value']);
    expectStatus(
      200,
      await client.request('PUT', `/fhir/Patient/${created.id}`, { json: { ...created, gender: 'female' } }),
    );
  });
});
