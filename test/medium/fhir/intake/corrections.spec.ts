import type { DocumentReference, Media, Observation, Organization, Practitioner } from '@medplum/fhirtypes';
import { ImageErasure } from '../../../../src/core/erasure/image-erasure.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { AnalysisRequestRepository as OrderedRequests } from '../../../../src/core/analysis/analysis-request.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AnalyzeOperation } from '../../../../src/doors/fhir/operations/analyze.operation.js';
import { BinaryContent } from '../../../../src/doors/fhir/interactions/binary-content.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { ResourceStore } from '../../../../src/standards/fhir/store/resource-store.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';

let ground: IntakeGround;
let caller: Caller;
let person: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  person = (await ground.post(caller, patientOf())).resource.id!;
});

const to = (type: string, id: string) => ({ reference: `${type}/${id}` });
const depthOf = (photo: string, value: number): Observation =>
  ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
    subject: to('Patient', person),
    effectiveDateTime: '2026-03-15T09:38:00+01:00',
    valueQuantity: { value, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' },
    derivedFrom: [to('Media', photo)],
  }) as Observation;
const send = async (): Promise<Media> =>
  (
    await ground.post(
      caller,
      mediaOf({ data: await photoData() }, { patientId: person }, { createdDateTime: '2026-03-15T09:40:00+01:00' }),
    )
  ).resource;
const waiting = async (): Promise<string> => {
  const imageId = (
    await ground.get(ImageService).requestUpload(caller, { contentType: null, contentLength: null, sha256: null })
  ).image.id;
  await ground.post(
    caller,
    mediaOf(
      { url: `urn:sutura:image:${imageId}` },
      { patientId: person },
      { createdDateTime: '2026-03-15T09:40:00+01:00' },
    ),
  );
  await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', imageId)] }));
  return imageId;
};
const wishOf = async (imageId: string) =>
  (await ground.within(caller, ({ transaction }) => ground.get(OrderedRequests).listOfImage(transaction, imageId)))[0]!
    .options;
const update = (resource: Observation | Media) =>
  ground.within(caller, (call) =>
    ground
      .get(ResourceInteractions)
      .changing.update(call, resource.resourceType, resource.id!, JSON.parse(JSON.stringify(resource)), {}),
  );

describe('a clinician’s finding', () => {
  it('is corrected, and enters the analysis that has not begun as it is then', async () => {
    const imageId = await waiting();
    const { resource } = await ground.post(caller, depthOf(imageId, 2));
    expect(await wishOf(imageId)).toMatchObject({ clinicianObservations: { depthCm: 2 } });
    await ground.put(caller, {
      ...resource,
      status: 'corrected',
      valueQuantity: { ...resource.valueQuantity!, value: 0.2 },
    });
    expect(await wishOf(imageId)).toMatchObject({ clinicianObservations: { depthCm: 0.2 } });
    await ground.patch(caller, 'Observation', resource.id!, [
      { op: 'replace', path: '/valueQuantity/value', value: 0.3 },
    ]);
    expect(await wishOf(imageId)).toMatchObject({ clinicianObservations: { depthCm: 0.3 } });
  });

  it('is withdrawn, and then enters no analysis', async () => {
    const imageId = await waiting();
    const { resource } = await ground.post(caller, depthOf(imageId, 2));
    await ground.put(caller, { ...resource, status: 'entered-in-error' });
    expect((await wishOf(imageId)).clinicianObservations).toBeNull();
  });

  it('whose value is not understood is kept, and says that reports do not state it', async () => {
    const imageId = await waiting();
    const { code: _depth, valueQuantity: _value, ...rest } = depthOf(imageId, 2);
    const code = { coding: [{ system: 'http://loinc.org', code: '72288-4' }] };
    const { resource } = await ground.post(caller, { ...rest, code, valueString: 'like old cheese' } as Observation);
    const { outcome } = await update({ ...resource, note: [{ text: 'Probe.' }] });
    expect(JSON.stringify(outcome)).toContain('Reports do not state it');
    expect((await wishOf(imageId)).clinicianObservations).toBeNull();
  });

  it('that is corrected once its photo was analysed says that the report does not follow', async () => {
    const media = await send();
    const { resource } = await ground.post(caller, depthOf(media.id!, 2));
    const before = await update({ ...resource, note: [{ text: 'Probe.' }] });
    expect(before.outcome).toBeUndefined();
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', media.id!)] }));
    const { outcome } = await update({ ...resource, status: 'entered-in-error' });
    expect(outcome).toMatchObject({
      issue: [{ severity: 'warning', details: { text: expect.stringContaining('does not follow') } }],
    });
    expect(ground.get(ResourceValidator).validate(outcome)).toEqual({ level: null, issues: [] });
  });

  it('keeps to what a finding may be, and the service’s own findings are not a client’s to change', async () => {
    const { resource } = await ground.post(caller, depthOf((await send()).id!, 2));
    await expect(
      ground.put(caller, { ...resource, valueQuantity: { ...resource.valueQuantity!, value: -1 } }),
    ).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(
      ground.put(caller, { ...resource, code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] } }),
    ).rejects.toMatchObject({ code: 'fhir.business_rule' });
    const own = await ground.within(caller, ({ transaction }) =>
      ground
        .get(ResourceStore)
        .insert<Observation>(
          transaction,
          { ...depthOf(resource.derivedFrom![0]!.reference!.slice(6), 2), id: 'service-depth' },
          { kind: 'service' },
        ),
    );
    await expect(ground.put(caller, { ...own.resource, status: 'entered-in-error' })).rejects.toMatchObject({
      code: 'fhir.business_rule',
    });
  });
});

describe('a photo that was analysed', () => {
  it.each<[string, Partial<Media>]>([
    ['of another time', { createdDateTime: '2026-03-01T09:40:00+01:00' }],
    ['of no time', { createdDateTime: undefined }],
    ['entered in error', { status: 'entered-in-error' }],
  ])('is not made one %s', async (_, change) => {
    const media = await send();
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', media.id!)] }));
    await expect(ground.put(caller, { ...media, ...change } as Media)).rejects.toMatchObject({
      code: 'fhir.analysed',
      kind: 'conflict',
    });
    await expect(
      ground.put(caller, { ...media, createdDateTime: '2026-03-15T08:40:00Z', note: [{ text: 'In daylight.' }] }),
    ).resolves.toBeDefined();
  });

  it('is none of these as a document either', async () => {
    const document = {
      resourceType: 'DocumentReference',
      status: 'current',
      type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
      subject: to('Patient', person),
      content: [
        { attachment: { contentType: 'image/jpeg', data: await photoData(), creation: '2026-03-15T09:40:00+01:00' } },
      ],
    } as DocumentReference;
    const { resource } = await ground.post(caller, document);
    await ground.post(caller, orderOf(person, { supportingInfo: [to('DocumentReference', resource.id!)] }));
    await expect(ground.put(caller, { ...resource, status: 'entered-in-error' })).rejects.toMatchObject({
      code: 'fhir.analysed',
    });
  });
});

describe('a photo that was entered in error', () => {
  it('ends the analyses that wait for it, and is not analysed any more', async () => {
    const imageId = await waiting();
    const media = await ground.find<Media>(caller, 'Media', imageId);
    const withdrawn = await ground.put(caller, { ...media, status: 'entered-in-error' });
    expect(withdrawn.status).toBe('entered-in-error');
    expect(await ground.tasks(caller)).toMatchObject([{ status: 'cancelled' }]);
    await expect(
      ground.operate(ground.get(AnalyzeOperation), caller, imageId, { resourceType: 'Parameters' }),
    ).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', imageId)] }));
    expect((await ground.tasks(caller)).map(({ status }) => status)).toEqual(['cancelled', 'received']);
  });
});

describe('a photo that was deleted', () => {
  it('is gone: its Media and document point nowhere, and its bytes answer so', async () => {
    const media = await send();
    await ground.get(ImageErasure).erase(caller, media.id!);
    await ground.relay();
    const shown = await ground.find<Media>(caller, 'Media', media.id!);
    expect(shown.content).toEqual({ contentType: 'image/jpeg' });
    expect(ground.get(ResourceValidator).validate(shown)).toEqual({ level: null, issues: [] });
    await expect(
      ground.within(caller, (call) => ground.get(BinaryContent).open(call, media.id!, 'all')),
    ).rejects.toMatchObject({ code: 'fhir.gone', kind: 'gone' });
    await expect(
      ground.within(caller, (call) =>
        ground.get(BinaryContent).open(call, '0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08', 'all'),
      ),
    ).rejects.toMatchObject({ code: 'fhir.not_found' });
    await ground.relay();
    expect((await ground.find<Media>(caller, 'Media', media.id!)).meta?.versionId).toBe('2');
  });
});

describe('a resource that comes back with its own bytes', () => {
  it('is taken, and points at them as before', async () => {
    const [text, data] = [Buffer.from('A letter.').toString('base64'), await photoData()];
    const letter = (
      await ground.post(caller, {
        resourceType: 'DocumentReference',
        status: 'current',
        content: [{ attachment: { contentType: 'text/plain', data: text } }],
      })
    ).resource;
    expect(
      await ground.put(caller, {
        ...letter,
        description: 'Referral',
        content: [{ attachment: { contentType: 'text/plain', data: text } }],
      }),
    ).toMatchObject({ description: 'Referral', content: letter.content });
    const document = (
      await ground.post(caller, {
        resourceType: 'DocumentReference',
        status: 'current',
        type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
        subject: to('Patient', person),
        content: [{ attachment: { contentType: 'image/jpeg', data } }],
      } as DocumentReference)
    ).resource;
    expect(
      await ground.put(caller, { ...document, content: [{ attachment: { contentType: 'image/jpeg', data } }] }),
    ).toMatchObject({
      content: document.content,
    });
    const media = await send();
    const inline = {
      ...media,
      content: { contentType: 'image/jpeg', data: await photoData() },
      note: [{ text: 'As it was.' }],
    } as unknown as Media;
    expect(await ground.put(caller, inline)).toMatchObject({ content: media.content, note: [{}] });
  });

  it('is refused with other bytes', async () => {
    const media = await send();
    await expect(
      ground.put(caller, {
        ...media,
        content: { contentType: 'image/jpeg', data: await photoData(7) },
      } as unknown as Media),
    ).rejects.toMatchObject({ code: 'fhir.image' });
    const letter = (
      await ground.post(caller, {
        resourceType: 'DocumentReference',
        status: 'current',
        content: [{ attachment: { contentType: 'text/plain', data: 'QQ==' } }],
      })
    ).resource;
    await expect(
      ground.put(caller, { ...letter, content: [{ attachment: { contentType: 'text/plain', data: 'Qg==' } }] }),
    ).rejects.toMatchObject({
      code: 'fhir.image',
      issues: [{ expression: 'DocumentReference.content[0].attachment.data' }],
    });
  });
});

describe('an order of something else', () => {
  it('is kept, and its sender is told that nothing follows', async () => {
    const resource = orderOf(person, { code: { coding: [{ system: 'http://loinc.org', code: '24606-6' }] } });
    const { body } = await ground.transact(caller, {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        { resource, request: { method: 'POST', url: 'ServiceRequest' } },
        { resource: orderOf(person), request: { method: 'POST', url: 'ServiceRequest' } },
      ],
    });
    expect(body).toMatchObject({
      entry: [
        {
          response: {
            status: '201 Created',
            outcome: { issue: [{ severity: 'warning', details: { text: expect.stringContaining('39135-9') } }] },
          },
        },
        { response: { status: '201 Created' } },
      ],
    });
    expect((body as { entry: { response: object }[] }).entry[1]!.response).not.toHaveProperty('outcome');
    expect(await ground.tasks(caller)).toHaveLength(1);
  });
});

describe('who treats and where', () => {
  it('is corrected by whoever may write it', async () => {
    const practitioner = (
      await ground.post<Practitioner>(caller, { resourceType: 'Practitioner', name: [{ family: 'Beispeil' }] })
    ).resource;
    expect(await ground.put(caller, { ...practitioner, name: [{ family: 'Beispiel' }] })).toMatchObject({
      name: [{ family: 'Beispiel' }],
    });
    const ward = (await ground.post<Organization>(caller, { resourceType: 'Organization', name: 'Wadr 3' })).resource;
    expect(
      await ground.patch(caller, 'Organization', ward.id!, [{ op: 'replace', path: '/name', value: 'Ward 3' }]),
    ).toMatchObject({ name: 'Ward 3' });
  });
});
