import { ApiClient, expectStatus } from '../../support/api-client.js';
import { BulkClient, statusUrlOf, type Manifest } from '../../support/bulk-export.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

describe('a bulk export whose key was rotated', () => {
  let gateway: SharedGateway;
  beforeAll(async () => {
    gateway = await sharedGateway();
  });

  it('is its successors’, however often, and nobody else’s; the last of them may end it', async () => {
    const organization = await gateway.createOrganization();
    const first = await gateway.createKey(organization);
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:2.999.1', value: 'X-1' }] };
    const headers = { 'content-type': 'application/fhir+json' };
    await new ApiClient(gateway.baseUrl, first.key).request('POST', '/fhir/Patient', { json: patient, headers });
    const bulkOf = (key: string) => new BulkClient(`${gateway.baseUrl}/fhir`, key);
    const statusUrl = statusUrlOf(await bulkOf(first.key).kickOff('/$export?_type=Patient'));
    const rotate = async (keyId: string) =>
      expectStatus(201, await gateway.admin('POST', `/keys/${keyId}/rotate`, { overlapS: 60 })).body as {
        readonly keyId: string;
        readonly key: string;
      };
    const second = await rotate(first.keyId);
    const third = await rotate(second.keyId);

    const { done } = await bulkOf(third.key).poll(statusUrl);
    const [file] = (expectStatus(200, done).body as Manifest).output;
    expect((await bulkOf(second.key).ask('GET', file!.url)).status).toBe(200);
    expect((await bulkOf(first.key).ask('GET', statusUrl)).status).toBe(200);

    const later = statusUrlOf(await bulkOf(third.key).kickOff('/$export?_type=Patient'));
    const others = [await gateway.createKey(organization), await gateway.createKey(await gateway.createOrganization())];
    for (const { key } of others) expect((await bulkOf(key).ask('GET', statusUrl)).status).toBe(404);
    // What the successor asks for is not its predecessor's.
    expect((await bulkOf(first.key).ask('GET', later)).status).toBe(404);
    expect((await bulkOf(third.key).ask('DELETE', statusUrl)).status).toBe(202);
    expect((await bulkOf(first.key).ask('GET', statusUrl)).status).toBe(404);
  });
});
