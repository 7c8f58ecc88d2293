import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PANEL = { coding: [{ system: 'http://loinc.org', code: '39135-9' }] };

describe('photos and orders over FHIR', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let person: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    person = (await create({ resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-1' }] })).body
      .id as string;
  });

  const create = async (
    resource: { readonly resourceType: string; readonly [element: string]: unknown },
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    expectStatus(201, await client.request('POST', `/fhir/${resource.resourceType}`, { json: resource, headers }));
  const read = (path: string, headers: Record<string, string> = {}) =>
    client.request('GET', `/fhir/${path}`, { headers });
  const mediaOf = (content: object, more: object = {}) => ({
    resourceType: 'Media',
    status: 'completed',
    subject: { reference: `Patient/${person}` },
    content: 'data' in content ? { contentType: 'image/jpeg', ...content } : content,
    ...more,
  });
  const orderOf = (more: object = {}) => ({
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    code: PANEL,
    subject: { reference: `Patient/${person}` },
    ...more,
  });
  const taskOf = async (order: string) => (await read(`Task?focus=ServiceRequest/${order}`)).body.entry[0].resource;
  const tail = (bytes: Buffer) => bytes.subarray(-100);

  it('a photo that is posted raw is served as it is, in parts, and only what its picture needs', async () => {
    const photo = await drawWoundPhoto({ width: 300, height: 200, orientation: 6, description: 'MARKER-NAME' });
    const posted = expectStatus(
      201,
      await client.request('POST', '/fhir/Binary', {
        bytes: photo,
        headers: { 'content-type': 'image/jpeg', 'x-security-context': `Patient/${person}` },
      }),
    );
    const address = posted.headers.get('location')!.replace(/^.*\/fhir\/(Binary\/[^/]+).*$/, '$1');
    const served = expectStatus(200, await read(address));
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'x-security-context': `Patient/${person}`,
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(served.bytes).digest('hex')}"`,
    });
    expect(served.bytes.includes('MARKER-NAME')).toBe(false);
    expect(await sharp(served.bytes).metadata()).toMatchObject({
      orientation: 6,
      autoOrient: { width: 300, height: 200 },
    });
    expect((await read(address, { 'if-none-match': served.headers.get('etag')! })).status).toBe(304);
    const part = await read(address, { range: 'bytes=-100' });
    expect([part.status, part.bytes.equals(tail(served.bytes)), part.headers.get('content-range')]).toEqual([
      206,
      true,
      `bytes ${served.bytes.length - 100}-${served.bytes.length - 1}/${served.bytes.length}`,
    ]);
    const json = expectStatus(200, await read(address, { accept: 'application/fhir+json' }));
    expect(json.body).toMatchObject({
      resourceType: 'Binary',
      contentType: 'image/jpeg',
      securityContext: { reference: `Patient/${person}` },
      data: served.bytes.toString('base64'),
    });
    const media = (await create(mediaOf({ url: address }))).body;
    expect(media).toMatchObject({
      content: {
        url: address,
        size: served.bytes.length,
        hash: createHash('sha1').update(served.bytes).digest('base64'),
      },
    });
    const inline = expectStatus(200, await read(`Media/${media.id}?_inline=true`));
    expect(inline.body.content).toMatchObject({ data: served.bytes.toString('base64') });
  });

  it('an order waits for a native upload, and all doors then show the one analysis', async () => {
    const ticket = expectStatus(201, await client.requestUpload()).body;
    const media = (await create(mediaOf({ contentType: 'image/jpeg', url: `urn:sutura:image:${ticket.imageId}` })))
      .body;
    expect(media).toMatchObject({ id: ticket.imageId, status: 'preparation' });
    const order = (await create(orderOf({ supportingInfo: [{ reference: `Media/${media.id}` }] }))).body.id as string;
    const waiting = await taskOf(order);
    expect(waiting).toMatchObject({ status: 'received' });
    expectStatus(404, await client.readJob(waiting.id));
    expectStatus(200, await client.putPhoto(ticket.uploadUrl, await drawWoundPhoto(), ticket.headers));
    const task = await eventually('the Task is completed', async () => {
      const { body } = await read(`Task/${waiting.id}`);
      return body.status === 'completed' ? body : null;
    });
    const job = expectStatus(200, await client.readJob(task.id)).body;
    expect(job).toMatchObject({
      id: task.id,
      status: 'completed',
      imageId: media.id,
      subject: { patientId: 'MRN-1', patientSystem: 'urn:oid:1.2.3' },
    });
    const report = expectStatus(200, await read(task.output[0].valueReference.reference)).body;
    expect(report).toMatchObject({
      subject: { reference: `Patient/${person}` },
      media: [{ link: { reference: `Media/${media.id}` } }],
    });
    const pdf = expectStatus(200, await read(report.presentedForm[0].url));
    expect([pdf.headers.get('content-type'), pdf.bytes.toString('latin1', 0, 5)]).toEqual(['application/pdf', '%PDF-']);
    expectStatus(200, await read(`Media/${media.id}`));
    expect((await read(`Media/${media.id}`)).body).toMatchObject({ status: 'completed', width: 640 });
  });

  it('a photo that was analysed is taken once more as it was sent, and keeps what the service knows of it', async () => {
    const photo = await sharp(await drawWoundPhoto())
      .withMetadata({ exif: { IFD2: { DateTimeOriginal: '2026:03:15 09:40:00', OffsetTimeOriginal: '+01:00' } } })
      .jpeg()
      .toBuffer();
    const sent = mediaOf({ contentType: 'image/jpeg', data: photo.toString('base64') }, { id: 'photo-of-a-converter' });
    const send = () => client.request('PUT', '/fhir/Media/photo-of-a-converter', { json: sent });
    expectStatus(201, await send());
    expectStatus(201, await create(orderOf({ supportingInfo: [{ reference: 'Media/photo-of-a-converter' }] })));
    const filed = await eventually('the photo is filed under its wound', async () => {
      const { body } = await read('Media/photo-of-a-converter');
      return body.extension === undefined ? null : body;
    });
    expect(filed.createdDateTime).toBe('2026-03-15T09:40:00+01:00');
    expect(expectStatus(200, await send()).body).toMatchObject({
      extension: filed.extension,
      createdDateTime: filed.createdDateTime,
    });
  });

  it('a Task is cancelled by a patch while it waits, and changed by no other', async () => {
    const order = (await create(orderOf({ identifier: [{ system: 'urn:oid:2.7', value: 'o-2' }] }))).body.id as string;
    const task = await taskOf(order);
    const patch = (value: string) =>
      client.request('PATCH', `/fhir/Task/${task.id}`, {
        json: [{ op: 'replace', path: '/status', value }],
        headers: { 'content-type': 'application/json-patch+json' },
      });
    expectStatus(409, await patch('completed'));
    expect(expectStatus(200, await patch('cancelled')).body).toMatchObject({
      status: 'cancelled',
      businessStatus: { coding: [{ code: 'error' }] },
    });
    expectStatus(404, await client.readJob(task.id));
  });

  it('$analyze answers with the Task, or with its address alone', async () => {
    const media = (await create(mediaOf({ data: (await drawWoundPhoto({ seed: 5 })).toString('base64') }))).body
      .id as string;
    const answer = expectStatus(200, await client.request('POST', `/fhir/Media/${media}/$analyze`));
    expect(answer.headers.get('content-location')).toBe(`${gateway.baseUrl}/fhir/Task/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      resourceType: 'Task',
      status: 'accepted',
      focus: { reference: `Media/${media}` },
    });
    const parameters = {
      resourceType: 'Parameters',
      parameter: [
        { name: 'image', resource: mediaOf({ data: (await drawWoundPhoto({ seed: 6 })).toString('base64') }) },
      ],
    };
    const empty = expectStatus(
      202,
      await client.request('POST', '/fhir/Media/$analyze', { json: parameters, headers: { prefer: 'respond-async' } }),
    );
    expect([empty.bytes.length, /\/fhir\/Task\/[0-9a-f-]{36}$/.test(empty.headers.get('content-location')!)]).toEqual([
      0,
      true,
    ]);
  });

  it('a deleted photo is gone from every door, and its Media points at nothing', async () => {
    const media = (await create(mediaOf({ data: (await drawWoundPhoto({ seed: 7 })).toString('base64') }))).body
      .id as string;
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${media}`));
    expectStatus(410, await read(`Binary/${media}`));
    await eventually(
      'the Media points at nothing',
      async () => expectStatus(200, await read(`Media/${media}`)).body.content.url === undefined,
    );
  });
});
