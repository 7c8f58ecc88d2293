import { createHash } from 'node:crypto';
import type { Binary, DocumentReference, Media } from '@medplum/fhirtypes';
import sharp from 'sharp';
import { AttachmentService } from '../../../../src/core/attachments/attachment.service.js';
import { ImageStaging } from '../../../../src/core/images/image-staging.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { BinaryContent } from '../../../../src/doors/fhir/interactions/binary-content.js';
import { MediaIntake } from '../../../../src/doors/fhir/intake/media-intake.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, patientOf, woundOf } from '../../../support/intake-resources.js';
import { contentOf, type KeptContent } from '../../../../src/standards/fhir/store/packed-content.js';
import { queryDatabase } from '../../../support/database-query.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';

let ground: IntakeGround;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open({ FHIR_MAX_INLINE_BYTES: '200000' });
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('base64');
const open = async (id: string, visible: 'all' | 'own' = 'all', as = caller) =>
  (await ground.within(as, (call) => ground.get(BinaryContent).open(call, id, visible))).load();
/** A native upload: the image record, and its bytes when they come. */
async function requestUpload(): Promise<string> {
  return (
    await ground.get(ImageService).requestUpload(caller, { contentType: null, contentLength: null, sha256: null })
  ).image.id;
}
async function receive(imageId: string, bytes: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const keepAs = (key: string) => ground.get(ObjectStore).put(key, bytes, 'image/jpeg');
  await ground.get(ImageService).receive(imageId, {
    sizeBytes: bytes.length,
    sha256,
    head: bytes.subarray(0, 12),
    read: () => Promise.resolve(bytes),
    keepAs,
  });
}

describe('a Media that is no photo', () => {
  const text = Buffer.from('this is no photo at all').toString('base64');
  it.each([
    ['neither data nor url', { contentType: 'image/jpeg' }, 'fhir.image'],
    ['both data and url', { data: text, url: 'Binary/1' }, 'fhir.image'],
    ['data that are not base64', { data: 'AAA' }, 'fhir.image'],
    ['data of nothing', { data: '    ' }, 'fhir.image'],
    ['bytes that are no picture', { data: text, contentType: 'image/jpeg' }, 'fhir.image'],
    ['a foreign address over http', { url: 'http://images.example/1.jpg' }, 'fhir.url_refused'],
    ['an address on a host that is not listed', { url: 'https://images.example/1.jpg' }, 'fhir.url_refused'],
    ['a file', { url: 'file:///etc/passwd' }, 'fhir.url_refused'],
    ['a Binary that there is not', { url: 'Binary/01997f2e-0000-7000-8000-00000000dead' }, 'fhir.reference'],
    ['an upload that there is not', { url: 'urn:sutura:image:01997f2e-0000-7000-8000-00000000dead' }, 'fhir.reference'],
    ['a link within a Bundle', { url: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000003' }, 'fhir.reference'],
  ])('with %s is refused, and nothing is kept of it', async (_, content, code) => {
    await expect(ground.post(caller, mediaOf(content))).rejects.toMatchObject({ code });
    expect(await ground.count('images', caller)).toBe(0);
    expect(await ground.count('fhir_resources', caller)).toBe(0);
  });

  it('of a picture that is cut off, too small or animated is refused', async () => {
    const whole = await drawWoundPhoto({ width: 160, height: 120 });
    const small = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#803020' } })
      .png()
      .toBuffer();
    for (const bytes of [whole.subarray(0, whole.length / 2), small]) {
      await expect(ground.post(caller, mediaOf({ data: bytes.toString('base64') }))).rejects.toMatchObject({
        code: 'fhir.image',
      });
    }
  });

  it('with a size or hash that is not that of its data is refused', async () => {
    const data = await photoData();
    await expect(ground.post(caller, mediaOf({ data, size: 5 }))).rejects.toMatchObject({
      code: 'fhir.image',
      issues: [{ expression: 'Media.content.size' }],
    });
    await expect(ground.post(caller, mediaOf({ data, hash: sha1(Buffer.from('x')) }))).rejects.toMatchObject({
      code: 'fhir.image',
      issues: [{ expression: 'Media.content.hash' }],
    });
  });

  it('with more bytes than the limit is refused', async () => {
    await expect(ground.post(caller, mediaOf({ data: 'A'.repeat(400_000) }))).rejects.toMatchObject({
      code: 'request.too_large',
    });
  });

  it('of a PDF by its bytes is refused, whatever it calls itself', async () => {
    await expect(
      ground.post(caller, mediaOf({ data: Buffer.from('%PDF-1.7\n').toString('base64'), contentType: 'image/png' })),
    ).rejects.toMatchObject({ code: 'fhir.image' });
  });
});

describe('a photo of nobody that there is', () => {
  it.each([
    ['an id that nobody has', async () => '01997f2e-0000-7000-8000-00000000dead'],
    ['an id that is none', async () => 'undefined'],
    [
      'a patient of another organization',
      async () => (await ground.post(await ground.createCaller(), patientOf())).resource.id!,
    ],
  ])('is refused alike: %s', async (_, patientId) => {
    const id = await patientId();
    const document = {
      resourceType: 'DocumentReference',
      status: 'current',
      type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
      subject: { reference: `Patient/${id}` },
      content: [{ attachment: { contentType: 'image/jpeg', data: await photoData() } }],
    } as DocumentReference;
    for (const resource of [mediaOf({ data: await photoData() }, { patientId: id }), document]) {
      await expect(ground.post(caller, resource)).rejects.toMatchObject({
        code: 'fhir.reference',
        kind: 'bad_request',
        issues: [{ expression: `${resource.resourceType}.subject.reference` }],
      });
    }
    const media = (await ground.post(caller, mediaOf({ data: await photoData() }))).resource;
    await expect(
      ground.put(caller, { ...media, subject: { reference: `Patient/${id}` } } as Media),
    ).rejects.toMatchObject({ code: 'fhir.reference' });
  });
});

describe('a photo inside its Media', () => {
  it('goes to the object store; the resource points at it and says what it is', async () => {
    const bytes = await drawWoundPhoto({ width: 160, height: 120, format: 'png' });
    const content = {
      data: bytes.toString('base64').replace(/(.{76})/g, '$1\n'),
      contentType: 'image/jpeg',
      size: bytes.length,
      hash: sha1(bytes),
      title: 'Left heel',
    };
    const { resource } = await ground.post(caller, mediaOf(content));
    const served = await open(resource.id!);
    expect(resource).toMatchObject({
      status: 'completed',
      width: 160,
      height: 120,
      identifier: [{ system: 'https://sutura.dev/fhir/sid/image-id', value: resource.id }],
      content: {
        contentType: 'image/png',
        url: `Binary/${resource.id}`,
        size: served.bytes.length,
        hash: sha1(served.bytes),
        title: 'Left heel',
      },
    });
    expect(resource.content).not.toHaveProperty('data');
    const [row] = await queryDatabase<KeptContent>(
      ground.database.url,
      'select content, packed from fhir_versions where organization_id = $1',
      [caller.organizationId],
    );
    expect(JSON.stringify(contentOf(row!))).not.toContain(content.data.slice(0, 60));
    expect(
      await ground.count(
        'images',
        caller,
        `status = 'stored' and sha256 = '${createHash('sha256').update(bytes).digest('hex')}'`,
      ),
    ).toBe(1);
  });

  it('is served without place or names, the right way up, and the original is kept', async () => {
    const bytes = await drawWoundPhoto({ width: 120, height: 160, orientation: 6, description: 'MARKER-NAME' });
    const { resource } = await ground.post(caller, mediaOf({ data: bytes.toString('base64') }));
    expect(resource).toMatchObject({ width: 120, height: 160 });
    const served = await open(resource.id!);
    expect(served.bytes.includes('MARKER-NAME')).toBe(false);
    expect(await sharp(served.bytes).metadata()).toMatchObject({
      orientation: 6,
      autoOrient: { width: 120, height: 160 },
    });
    expect(Buffer.from((await ground.get(ObjectStore).get(`images/${resource.id}/original`))!).equals(bytes)).toBe(
      true,
    );
  });

  it('says when it was taken where nobody else does', async () => {
    const picture = sharp(await drawWoundPhoto({ width: 160, height: 120, format: 'png' }));
    const bytes = await picture
      .withMetadata({ exif: { IFD2: { DateTimeOriginal: '2026:03:15 09:40:12', OffsetTimeOriginal: '+01:00' } } })
      .jpeg()
      .toBuffer();
    const data = bytes.toString('base64');
    expect((await ground.post(caller, mediaOf({ data }))).resource).toMatchObject({
      createdDateTime: '2026-03-15T09:40:12+01:00',
    });
    expect(
      (await ground.post(caller, mediaOf({ data }, {}, { createdDateTime: '2026-03-14' }))).resource,
    ).toMatchObject({ createdDateTime: '2026-03-14' });
  });

  it('comes back with the resource when that is asked for', async () => {
    const stored = await ground.post(caller, mediaOf({ data: await photoData() }));
    const inline = await ground.within(caller, (call) => ground.get(MediaIntake).inline(call, stored));
    expect(Buffer.from(inline.content.data!, 'base64').equals((await open(stored.resource.id!)).bytes)).toBe(true);
    expect(inline.content).not.toHaveProperty('url');
  });

  it('is gone again where its resource is refused later', async () => {
    const patientId = (await ground.post(caller, patientOf())).resource.id!;
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const woundId = (await ground.post(caller, woundOf(other))).resource.id!;
    await expect(
      ground.post(caller, mediaOf({ data: await photoData() }, { patientId, woundId })),
    ).rejects.toMatchObject({ code: 'fhir.business_rule', issues: [{ expression: 'Media.subject' }] });
    expect(await ground.count('images', caller, `status <> 'deleted'`)).toBe(0);
  });

  it('that a crash left behind goes with the sweep, and a kept one stays', async () => {
    const { resource } = await ground.post(caller, mediaOf({ data: await photoData() }));
    const forgotten = await ground
      .get(ImageStaging)
      .stage(caller, await drawWoundPhoto({ width: 160, height: 120, seed: 2 }));
    expect(await ground.get(ImageStaging).sweep()).toBe(0);
    await queryDatabase(
      ground.database.url,
      `update images set upload_expires_at = now() - interval '1 second' where organization_id = $1`,
      [caller.organizationId],
    );
    expect(await ground.get(ImageStaging).sweep()).toBe(1);
    expect(await ground.get(ObjectStore).get(forgotten.image.objectKey)).toBeNull();
    expect((await open(resource.id!)).bytes.length).toBeGreaterThan(0);
  });
});

describe('a photo beside its Media', () => {
  it('is a Binary that was posted, raw or as JSON', async () => {
    const bytes = await drawWoundPhoto({ width: 160, height: 120 });
    const raw = await ground
      .get(BinaryContent)
      .submit(caller, { contentType: 'application/octet-stream', bytes, securityContext: null });
    const posted = await ground.create<Binary>(caller, { resource: raw.resource, prepared: raw });
    expect(posted.resource).toMatchObject({ contentType: 'image/jpeg' });
    const { resource } = await ground.post(
      caller,
      mediaOf({ url: `https://gateway.test/fhir/Binary/${posted.resource.id}` }),
    );
    expect(resource).toMatchObject({
      id: posted.resource.id,
      width: 160,
      content: { url: `Binary/${posted.resource.id}`, contentType: 'image/jpeg' },
    });
    const json = await ground.post<Binary>(caller, {
      resourceType: 'Binary',
      contentType: 'image/jpeg',
      data: await photoData(3),
    });
    expect(json.resource).not.toHaveProperty('data');
    await ground.post(caller, mediaOf({ url: `Binary/${json.resource.id}` }));
  });

  it('belongs to one Media', async () => {
    const { resource } = await ground.post(caller, mediaOf({ data: await photoData() }));
    await expect(ground.post(caller, mediaOf({ url: `Binary/${resource.id}` }))).rejects.toMatchObject({
      code: 'fhir.duplicate',
    });
  });

  it('of another organization is not there', async () => {
    const { resource } = await ground.post(caller, mediaOf({ data: await photoData() }));
    const stranger = await ground.createCaller();
    await expect(ground.post(stranger, mediaOf({ url: `Binary/${resource.id}` }))).rejects.toMatchObject({
      code: 'fhir.reference',
    });
    await expect(open(resource.id!, 'all', stranger)).rejects.toMatchObject({ code: 'fhir.not_found' });
  });

  it('that a key did not bring is not shown to one that sees its own only', async () => {
    const { resource } = await ground.post(caller, mediaOf({ data: await photoData() }));
    expect((await open(resource.id!, 'own')).bytes.length).toBeGreaterThan(0);
    await expect(
      open(resource.id!, 'own', { ...caller, keyId: '01997f2e-0000-7000-8000-00000000beef' }),
    ).rejects.toMatchObject({ code: 'fhir.not_found' });
  });

  it('may still be on its way from the native upload: the Media is completed when it comes', async () => {
    const imageId = await requestUpload();
    const { resource } = await ground.post(
      caller,
      mediaOf({ url: `urn:sutura:image:${imageId}`, contentType: 'image/jpeg' }),
    );
    expect(resource).toMatchObject({ id: imageId, status: 'preparation', content: { url: `Binary/${imageId}` } });
    expect(resource).not.toHaveProperty('width');
    await expect(open(imageId)).rejects.toMatchObject({ code: 'fhir.not_found' });
    await receive(imageId, await drawWoundPhoto({ width: 160, height: 120 }));
    await ground.relay();
    const completed = await ground.find<Media>(caller, 'Media', imageId);
    expect(completed).toMatchObject({
      meta: { versionId: '2' },
      status: 'completed',
      width: 160,
      content: { size: (await open(imageId)).bytes.length },
    });
    await ground.relay();
    expect((await ground.find<Media>(caller, 'Media', imageId)).meta).toMatchObject({ versionId: '2' });
  });

  it('that came natively and cannot be read is refused; one that turns out so makes the Media not done', async () => {
    const cut = (await drawWoundPhoto({ width: 160, height: 120 })).subarray(0, 900);
    const [here, late] = [await requestUpload(), await requestUpload()];
    await receive(here, cut);
    await expect(ground.post(caller, mediaOf({ url: `urn:sutura:image:${here}` }))).rejects.toMatchObject({
      code: 'fhir.image',
    });
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${late}` }));
    await receive(late, cut);
    await ground.relay();
    expect(await ground.find<Media>(caller, 'Media', late)).toMatchObject({ status: 'not-done' });
  });

  it('is not exchanged by an update', async () => {
    const { resource } = await ground.post(caller, mediaOf({ data: await photoData() }));
    await expect(
      ground.put(caller, { ...resource, content: { contentType: 'image/jpeg', data: await photoData(2) } } as Media),
    ).rejects.toMatchObject({ code: 'fhir.image' });
    await expect(ground.put(caller, { ...resource, content: { url: 'Binary/1' } } as Media)).rejects.toMatchObject({
      code: 'fhir.business_rule',
    });
    const changed = await ground.put(caller, {
      ...resource,
      width: 1,
      content: { title: 'Heel', url: `${resource.content.url}` },
    } as Media);
    expect(changed).toMatchObject({
      width: 160,
      content: { title: 'Heel', url: resource.content.url, size: resource.content.size },
    });
  });

  it('is found by transactions whose Media stands before its Binary', async () => {
    const answer = await ground.transact(caller, {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        {
          fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000004',
          resource: mediaOf({ url: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000003' }),
          request: { method: 'POST', url: 'Media' },
        },
        {
          fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000003',
          resource: { resourceType: 'Binary', contentType: 'image/jpeg', data: await photoData() },
          request: { method: 'POST', url: 'Binary' },
        },
      ],
    });
    const [media, binary] = (answer.body as { entry: { response: { location: string } }[] }).entry.map(({ response }) =>
      response.location.split('/').at(-3),
    );
    expect(media).toBe(binary);
    expect(await ground.find<Media>(caller, 'Media', media!)).toMatchObject({
      width: 160,
      content: { url: `Binary/${media}` },
    });
  });
});

describe('a Binary that is no photo', () => {
  it('is refused as an image, and as nothing at all', async () => {
    for (const [contentType, data] of [
      ['image/jpeg', Buffer.from('no photo').toString('base64')],
      ['image/gif', Buffer.from('GIF89a…').toString('base64')],
      ['text/plain', ''],
    ]) {
      await expect(
        ground.post(caller, { resourceType: 'Binary', contentType: contentType!, data: data! } as Binary),
      ).rejects.toMatchObject({ code: 'fhir.image' });
    }
  });

  it('is kept as it came', async () => {
    const bytes = Buffer.from('%PDF-1.7\nnot much of one');
    const { resource } = await ground.post<Binary>(caller, {
      resourceType: 'Binary',
      contentType: 'application/pdf',
      data: bytes.toString('base64'),
      securityContext: { reference: 'https://elsewhere.example/Patient/1' },
    });
    const opened = await open(resource.id!);
    expect(opened).toMatchObject({
      contentType: 'application/pdf',
      securityContext: 'https://elsewhere.example/Patient/1',
    });
    expect(opened.bytes.equals(bytes)).toBe(true);
    await expect(ground.post(caller, mediaOf({ url: `Binary/${resource.id}` }))).rejects.toMatchObject({
      code: 'fhir.reference',
    });
  });

  it('is taken back where its transaction fails', async () => {
    const interactions = ground.get(ResourceInteractions);
    const submission = await interactions.writing.submit(caller, 'Binary', {
      resourceType: 'Binary',
      contentType: 'application/pdf',
      data: 'JVBERg==',
    });
    expect(await ground.count('attachments', caller, `status = 'staged'`)).toBe(1);
    await submission.prepared.discard!();
    expect(await ground.count('attachments', caller)).toBe(0);
    await expect(
      ground.within(caller, (call) => interactions.writing.create(call, submission, submission.prepared.id!)),
    ).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('that a crash left behind goes with the sweep, and a kept one stays', async () => {
    const { resource } = await ground.post<Binary>(caller, {
      resourceType: 'Binary',
      contentType: 'application/pdf',
      data: 'JVBERg==',
    });
    const forgotten = await ground.get(AttachmentService).stage(caller, Buffer.from('%PDF-1.7'), 'application/pdf');
    expect(await ground.get(AttachmentService).sweep()).toBe(0);
    await queryDatabase(
      ground.database.url,
      `update attachments set created_at = now() - interval '2 hours' where organization_id = $1`,
      [caller.organizationId],
    );
    expect(await ground.get(AttachmentService).sweep()).toBe(1);
    expect(await ground.get(ObjectStore).get(forgotten.objectKey)).toBeNull();
    expect((await open(resource.id!)).contentType).toBe('application/pdf');
  });
});

describe('a DocumentReference', () => {
  const PHOTO_TYPE = { coding: [{ system: 'http://loinc.org', code: '72170-4' }] };
  const documentOf = (attachment: object, more: Partial<DocumentReference> = {}): DocumentReference =>
    ({ resourceType: 'DocumentReference', status: 'current', content: [{ attachment }], ...more }) as DocumentReference;

  it('of a photo goes through the same gate', async () => {
    await expect(
      ground.post(caller, documentOf({ contentType: 'image/jpeg', data: 'AAAA' }, { type: PHOTO_TYPE })),
    ).rejects.toMatchObject({
      code: 'fhir.image',
      issues: [{ expression: 'DocumentReference.content[0].attachment.data' }],
    });
    await expect(
      ground.post(
        caller,
        documentOf({ contentType: 'image/jpeg', url: 'https://images.example/1.jpg' }, { type: PHOTO_TYPE }),
      ),
    ).rejects.toMatchObject({ code: 'fhir.url_refused' });
    const { resource } = await ground.post(
      caller,
      documentOf({ contentType: 'image/png', data: await photoData() }, { category: [PHOTO_TYPE] }),
    );
    expect(resource.content![0]!.attachment).toMatchObject({ contentType: 'image/jpeg', url: `Binary/${resource.id}` });
    expect((await open(resource.id!)).contentType).toBe('image/jpeg');
  });

  it('of anything else keeps its attachments as bytes', async () => {
    const pdf = Buffer.from('%PDF-1.7\nletter');
    const { resource } = await ground.post(
      caller,
      documentOf({ contentType: 'application/pdf', data: pdf.toString('base64') }, { type: PHOTO_TYPE }),
    );
    const { url, data } = resource.content![0]!.attachment!;
    expect(data).toBeUndefined();
    expect((await open(url!.slice('Binary/'.length))).bytes.equals(pdf)).toBe(true);
    expect(await ground.count('analysis_requests', caller)).toBe(0);
  });
});
