import { gzipSync } from 'node:zlib';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const GZIP = { 'accept-encoding': 'gzip' };
const PACKED = { 'content-encoding': 'gzip' };
const FHIR = { 'content-type': 'application/fhir+json' };
const MIB = 1024 * 1024;

describe('bodies packed by gzip', () => {
  let gateway: SharedGateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  const read = (path: string, headers: Readonly<Record<string, string>> = { 'accept-encoding': 'identity' }) =>
    client.request('GET', path, { headers });
  const codingOf = ({ headers }: Answer): string | null => headers.get('content-encoding');
  const patient = (value: string) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:oid:1.2.3', value }],
    name: [{ family: 'Muster', given: ['Erika'] }],
  });

  it('are answered over FHIR and the native API to those who ask, and to nobody else', async () => {
    for (let number = 0; number < 5; number += 1)
      expectStatus(201, await client.request('POST', '/fhir/Patient', { json: patient(`P-${number}`), headers: FHIR }));
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    for (let number = 0; number < 3; number += 1) await client.startJob({ imageId });
    for (const path of [
      '/fhir/metadata',
      '/fhir/Patient?_total=none',
      '/fhir/_history',
      '/api/v1/analysis/jobs',
      '/metrics',
    ]) {
      const isStill = path !== '/metrics';
      const { plain, packed } = await eventually(`${path} stands still meanwhile`, async () => {
        const [before, packed, after] = [await read(path), await read(path, GZIP), await read(path)];
        return !isStill || before.bytes.equals(after.bytes) ? { plain: before, packed } : null;
      });
      expect([path, plain.status, codingOf(plain), plain.headers.get('vary')]).toEqual([
        path,
        200,
        null,
        'accept-encoding',
      ]);
      expect([path, packed.status, codingOf(packed), packed.headers.get('vary')]).toEqual([
        path,
        200,
        'gzip',
        'accept-encoding',
      ]);
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.bytes.length);
      // The client unpacks what it has received.
      if (isStill) expect(packed.body).toEqual(plain.body);
    }
  });

  it('are not answered where a credential, a photo or a PDF is in them', async () => {
    const ticket = await client.request('POST', '/api/v1/images/upload-url', { headers: GZIP });
    expect([ticket.status, codingOf(ticket), ticket.headers.get('vary')]).toEqual([201, null, null]);
    const organizationId = await gateway.createOrganization();
    expect(
      codingOf(
        await gateway.admin('POST', `/organizations/${organizationId}/keys`, {
          environment: 'test',
          scopes: ['analysis:read'],
        }),
      ),
    ).toBeNull();
    const card = await client.request('GET', '/api/v1/calibration-card.pdf', { headers: GZIP });
    expect([card.status, codingOf(card)]).toEqual([200, null]);
    const photo = await client.request('POST', '/fhir/Binary', {
      bytes: await drawWoundPhoto(),
      headers: { 'content-type': 'image/jpeg' },
    });
    const bytes = await client.request('GET', `/fhir/Binary/${expectStatus(201, photo).body.id}`, { headers: GZIP });
    expect([bytes.status, codingOf(bytes), bytes.headers.get('accept-ranges')]).toEqual([200, null, 'bytes']);
  });

  it('are taken by FHIR: a resource, a Bundle, a patch', async () => {
    const send = (method: string, path: string, json: unknown, headers: Record<string, string> = {}) =>
      client.request(method, path, {
        bytes: gzipSync(JSON.stringify(json)),
        headers: { ...FHIR, ...PACKED, ...headers },
      });
    const created = expectStatus(201, await send('POST', '/fhir/Patient', patient('G-1'))).body;
    expect(created.name).toEqual([{ family: 'Muster', given: ['Erika'] }]);
    const patched = await send(
      'PATCH',
      `/fhir/Patient/${created.id}`,
      { gender: 'female' },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(expectStatus(200, patched).body).toMatchObject({ gender: 'female', meta: { versionId: '2' } });
    const entry = [{ resource: patient('G-2'), request: { method: 'POST', url: 'Patient' } }];
    expect(
      expectStatus(200, await send('POST', '/fhir', { resourceType: 'Bundle', type: 'transaction', entry })).body
        .entry[0].response.status,
    ).toBe('201 Created');
  });

  it('are taken by the native API and the HL7 v2 door', async () => {
    const job = await client.request('POST', '/api/v1/analysis/jobs', {
      bytes: gzipSync(JSON.stringify({ imageId: 'nobody' })),
      headers: { ...PACKED, 'content-type': 'application/json' },
    });
    expect(job.body).not.toMatchObject({ code: 'request.content_type' });
    expect(job.body.errors ?? [job.body]).toEqual([
      expect.objectContaining(job.status === 404 ? { code: 'image.not_found' } : { pointer: '/imageId' }),
    ]);
    const message =
      'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A60^ADT_A60|MSG-1|T|2.5.1\rEVN|A60|20260315094003+0100';
    const acknowledged = await client.request('POST', '/hl7v2', {
      bytes: gzipSync(message),
      headers: { ...PACKED, 'content-type': 'application/hl7-v2' },
    });
    expect(acknowledged.bytes.toString()).toMatch(/\rMSA\|A[AER]\|MSG-1/);
  });

  it('are refused by what they become, at the limit of the door, while everybody else is served', async () => {
    const bomb = gzipSync(Buffer.alloc(600 * MIB, ' '), { level: 9 });
    const began = performance.now();
    const [refused, ...others] = await Promise.all([
      client.request('POST', '/fhir', { bytes: bomb, headers: { ...FHIR, ...PACKED } }),
      ...Array.from({ length: 5 }, () => client.request('GET', '/health/live')),
    ]);
    expect([refused.status, refused.body.issue[0].code]).toEqual([413, 'too-long']);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(performance.now() - began).toBeLessThan(20_000);
    const native = await client.request('POST', '/api/v1/analysis/jobs', {
      bytes: gzipSync(Buffer.alloc(MIB, ' ')),
      headers: { ...PACKED, 'content-type': 'application/json' },
    });
    expect(native.body).toMatchObject({ status: 413, code: 'request.too_large' });
  });

  it('are refused where they are packed otherwise, end too soon, or are a photo', async () => {
    const send = (path: string, bytes: Uint8Array, headers: Record<string, string>) =>
      client.request('POST', path, { bytes, headers: { ...FHIR, ...headers } });
    const other = await send('/fhir/Patient', Buffer.from('{}'), { 'content-encoding': 'br' });
    expect([other.status, other.headers.get('accept-encoding')]).toEqual([415, 'gzip, identity']);
    const packed = gzipSync(JSON.stringify(patient('G-3')));
    expect((await send('/fhir/Patient', packed.subarray(0, packed.length - 5), PACKED)).status).toBe(400);
    const { uploadUrl } = expectStatus(201, await client.request('POST', '/api/v1/images/upload-url')).body;
    const photo = await client.putPhoto(uploadUrl, gzipSync(await drawWoundPhoto()), {
      ...PACKED,
      'content-type': 'image/jpeg',
    });
    expect([photo.status, photo.body.code, photo.headers.get('accept-encoding')]).toEqual([
      415,
      'request.content_type',
      'identity',
    ]);
  });
});
