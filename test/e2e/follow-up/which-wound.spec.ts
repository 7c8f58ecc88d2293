import type { Media } from '@medplum/fhirtypes';
import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, mergeMessage, orderMessage } from '../../support/hl7-hospital.js';
import { mediaOf, PATIENT_NUMBERS } from '../../support/intake-resources.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly door: string;
  readonly actions: readonly string[];
  readonly came: { readonly resources: readonly string[]; readonly imageIds: readonly string[] };
}
interface WoundView {
  readonly id: string;
  readonly woundId: string | null;
  readonly laterality: string | null;
}

describe('a photo that names no wound, of a patient with a wound that has a number', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let seed = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });
  beforeEach(async () => {
    hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
  });
  afterEach(() => hospital?.close());

  const photo = () => drawWoundPhoto({ seed: (seed += 1), width: 320, height: 240 });
  /** By HL7; its result has come. */
  const visit = async (
    order: string,
    wound: string | null,
    day: string,
    rows: readonly string[] = [],
    mrn = 'MRN-1',
  ) => {
    const message = orderMessage({ order, wound, taken: day, photo: await photo(), rows, mrn });
    expect(fieldOf((await hospital.send(message))!, 'MSA', 1)).toBe('AA');
    return hospital.result(order);
  };
  /** Over REST; it is analysed. */
  const native = async (subject: object, day: string): Promise<void> => {
    const imageId = await hospital.client.uploadPhoto(await photo());
    const job = await hospital.client.startJob({ imageId, subject, capturedAt: `${day}T09:40:00+01:00` });
    await hospital.client.waitForJob(job.id);
  };
  const held = async (): Promise<readonly Item[]> =>
    ((await hospital.client.request('GET', '/api/v1/held')).body as { items: readonly Item[] }).items;
  const decide = (id: string, resolution: object) =>
    hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json: resolution });
  const wounds = async () =>
    expectStatus(200, await hospital.client.request('GET', `/api/v1/wounds?patientId=MRN-1`)).body.items as WoundView[];
  const numbered = async () => (await wounds()).find(({ woundId }) => woundId === 'W-1')!.id;
  const timeline = async (wound: string) =>
    expectStatus(200, await hospital.client.request('GET', `/api/v1/wounds/${wound}/timeline`)).body
      .assessments as unknown[];

  it('is not asked about where nobody uses numbers, where the side speaks against it, or where it has a number', async () => {
    await visit('O-1', null, '20260301');
    await visit('O-2', null, '20260308');
    expect(await held()).toEqual([]);
    // Of somebody else, whose sides are known.
    const subject = { patientId: 'MRN-2', patientSystem: PATIENT_NUMBERS };
    await native({ ...subject, woundId: 'W-1', laterality: 'left' }, '2026-03-15');
    await native({ ...subject, laterality: 'right' }, '2026-03-22');
    expect(await held()).toEqual([]);
    await native({ ...subject, woundId: 'W-2', laterality: 'right' }, '2026-03-22');
    expect((await held()).map(({ reason, came }) => [reason, came.resources.length])).toEqual([['wound_unclear', 2]]);
  });

  it('is not settled by what its actions do not take', async () => {
    await visit('O-1', 'W-1', '20260301');
    await visit('O-2', null, '20260308');
    const [item] = await held();
    const refused = async (resolution: object) => {
      const { status, body } = await decide(item!.id, resolution);
      return [status, (body as { code: string }).code];
    };
    expect(await refused({ action: 'link' })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'link', to: 'Patient/1' })).toEqual([400, 'request.invalid']);
    const unknown = 'BodyStructure/0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c01';
    expect(await refused({ action: 'link', to: unknown })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'link', to: item!.came.resources[0] })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'wait', to: item!.came.resources[1] })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'discard' })).toEqual([409, 'held.action']);
    await visit('O-3', 'W-9', '20260308', [], 'MRN-9');
    const other = expectStatus(
      200,
      await hospital.client.request('GET', `/api/v1/wounds?woundId=W-9&patientId=MRN-9`),
    ).body;
    expect(await refused({ action: 'link', to: `BodyStructure/${other.items[0].id}` })).toEqual([
      400,
      'request.invalid',
    ]);
    expect((await held()).map(({ id }) => id)).toEqual([item!.id]);
  });

  it('has its result at once, and joins the course of the wound that a person names: the comparison leaves anew', async () => {
    await visit('O-1', 'W-1', '20260301');
    expect(await visit('O-2', null, '20260308')).not.toContain('area-change-since-previous');
    const [item] = await held();
    expect(item).toMatchObject({ reason: 'wound_unclear', door: 'hl7v2', actions: ['link', 'wait'] });
    const wound = await numbered();
    expect(item!.came.resources).toEqual([expect.any(String), `BodyStructure/${wound}`]);
    const settled = await gateway.admin('POST', `/organizations/${hospital.organizationId}/held/${item!.id}/resolve`, {
      action: 'link',
      to: `BodyStructure/${wound}`,
    });
    expect(settled.status).toBe(200);
    expect(await timeline(wound)).toHaveLength(2);
    expect(await hospital.result('O-2', 2)).toContain('area-change-since-previous');
    expect(await held()).toEqual([]);
    expect((await decide(item!.id, { action: 'wait' })).status).toBe(404);
  });

  it('is off the list by a person’s word until the patient has a further wound, and is asked about that one alone', async () => {
    await visit('O-1', 'W-1', '20260301');
    await visit('O-2', null, '20260308');
    const [item] = await held();
    expect((await decide(item!.id, { action: 'wait', note: 'Invented: a second picture.' })).status).toBe(200);
    await visit('O-3', 'W-1', '20260315');
    expect([await held(), (await timeline(await numbered())).length]).toEqual([[], 2]);
    const kept = await queryDatabase<{ note: string }>(
      gateway.databaseUrl,
      'select set_aside_note as note from wounds where id = $1',
      [item!.came.resources[0]!.slice('BodyStructure/'.length)],
    );
    expect(kept).toEqual([{ note: 'Invented: a second picture.' }]);
    await visit('O-4', 'W-2', '20260322');
    const second = (await wounds()).find(({ woundId }) => woundId === 'W-2')!.id;
    expect((await held()).map(({ came }) => came.resources)).toEqual([
      [item!.came.resources[0], `BodyStructure/${second}`],
    ]);
  });

  it('of a day on which the wound has an area already is taken off without an untrue word', async () => {
    await visit('O-1', 'W-1', '20260301');
    await visit('O-2', null, '20260301');
    const [item] = await held();
    const link = await decide(item!.id, { action: 'link', to: item!.came.resources[1] });
    expect([link.status, (link.body as { code: string }).code]).toEqual([400, 'request.invalid']);
    expect((await decide(item!.id, { action: 'wait' })).status).toBe(200);
    expect(await held()).toEqual([]);
  });

  it('keeps the side that HL7 states without a number, and the other foot is not offered', async () => {
    const side = (word: string) => [`CWE|wound-side^Side^99SUT|1|${word}||||||F`];
    await visit('O-1', 'W-1', '20260301', side('L'));
    await visit('O-2', null, '20260308', side('R'));
    expect(await held()).toEqual([]);
    expect((await wounds()).map(({ woundId, laterality }) => [woundId, laterality])).toEqual(
      expect.arrayContaining([
        ['W-1', 'left'],
        [null, 'right'],
      ]),
    );
    await visit('O-3', null, '20260315', side('L'));
    expect((await held()).map(({ came }) => came.resources[1])).toEqual([`BodyStructure/${await numbered()}`]);
  });

  it('is asked about where the site is said in other words or by another code system, not where two codes of one differ', async () => {
    const subject = { patientId: 'MRN-1', patientSystem: PATIENT_NUMBERS };
    await native(
      { ...subject, woundId: 'W-1', bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Heel' } },
      '2026-03-01',
    );
    await native(
      { ...subject, bodySite: { system: 'http://snomed.info/sct', code: '54735007', display: 'Sacrum' } },
      '2026-03-08',
    );
    expect(await held()).toEqual([]);
    await native({ ...subject, bodySite: { display: 'back of the heel' } }, '2026-03-15');
    await native({ ...subject, bodySite: { system: 'urn:oid:2.999.3', code: 'F-1', display: 'Ferse' } }, '2026-03-22');
    expect(await held()).toHaveLength(2);
  });

  it('is joined into none that is closed: it names open ones alone', async () => {
    await visit('O-1', 'W-1', '20260301');
    await visit('O-2', 'W-2', '20260302');
    await visit('O-3', null, '20260308');
    const first = await numbered();
    expectStatus(200, await hospital.client.request('POST', `/api/v1/wounds/${first}/close`, { json: {} }));
    const [item] = await held();
    expect(item!.came.resources).toHaveLength(2);
    expect((await decide(item!.id, { action: 'link', to: `BodyStructure/${first}` })).status).toBe(400);
    expect(await held()).toHaveLength(1);
  });

  it('is asked about whichever door it came through', async () => {
    await visit('O-1', 'W-1', '20260301');
    const subject = { patientId: 'MRN-1', patientSystem: PATIENT_NUMBERS };
    await native(subject, '2026-03-08');
    const data = (await photo()).toString('base64');
    const media = mediaOf({ data }, {}, {
      subject: { type: 'Patient', identifier: { system: PATIENT_NUMBERS, value: 'MRN-1' } },
      createdDateTime: '2026-03-15T09:40:00+01:00',
    } as Partial<Media>);
    const headers = { 'content-type': 'application/fhir+json' };
    const kept = await hospital.client.request('POST', '/fhir/Media', { json: media, headers });
    const mediaId = (expectStatus(201, kept).body as Media).id!;
    expectStatus(200, await hospital.client.request('POST', `/fhir/Media/${mediaId}/$analyze`, {}));
    const items = await eventually('both are asked about', async () => {
      const found = (await held()).filter(({ reason }) => reason === 'wound_unclear');
      return found.length === 2 ? found : null;
    });
    expect(items.map(({ door }) => door).sort()).toEqual(['fhir', 'rest']);
  });

  it('is not asked about where two records of one wound number become one, until a person takes the wounds apart', async () => {
    await visit('O-1', 'W-1', '20260301');
    await visit('O-2', 'W-1', '20260308', [], 'MRN-2');
    expect(fieldOf((await hospital.send(mergeMessage('MRN-1', 'MRN-2', 'C-9')))!, 'MSA', 1)).toBe('AA');
    expect(await held()).toEqual([]);
    const joined = (await wounds()).find(({ woundId }) => woundId === null)!;
    expectStatus(200, await hospital.client.request('POST', `/api/v1/wounds/${joined.id}/unmerge`, { json: {} }));
    // Since the number went with the merge, not since the wound is known.
    const [item] = await held();
    expect(item).toMatchObject({
      reason: 'wound_unclear',
      came: { resources: [`BodyStructure/${joined.id}`, expect.any(String)] },
    });
  });
});
