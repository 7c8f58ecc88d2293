import type { Patient } from '@medplum/fhirtypes';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, mergeMessage, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { PATIENT_NUMBERS } from '../../support/intake-resources.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly door: string;
  readonly actions: readonly string[];
  readonly came: { readonly messageIds: readonly string[]; readonly patientIds: readonly string[] };
}

const announced = (control: string, mrn = 'MRN-1'): string =>
  orderChange('-', 'NW', control, mrn)
    .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
    .replace(/\rORC.*$/s, '\r');

describe('a message about a patient whom nobody has announced', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let photo: Buffer;

  beforeAll(async () => {
    gateway = await sharedGateway();
    photo = await drawSmallWoundPhoto({ seed: 1 });
  });
  afterEach(() => hospital?.close());

  const open = async (unknownPatient = 'hold', settings = {}): Promise<void> => {
    hospital = await Hl7Hospital.open(gateway, { unknownPatient, ...settings }, { pdf: 'none' });
  };
  const sent = async (message: string): Promise<string> => (await hospital.send(message))!;
  const told = (answer: string) => [fieldOf(answer, 'MSA', 1), fieldOf(answer, 'ERR', 5).split('^')[0]];
  /** But for which wound a photo of REST shows, which is asked as soon as both have their results. */
  const held = async (): Promise<readonly Item[]> =>
    ((await hospital.client.request('GET', '/api/v1/held')).body as { items: readonly Item[] }).items.filter(
      ({ reason }) => reason !== 'wound_unclear',
    );
  const nothingWaits = () => eventually('nothing waits', async () => ((await held()).length === 0 ? true : null));
  const decide = (id: string, resolution: object) =>
    hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json: resolution });
  const count = async (type: string) => (await hospital.read<{ total: number }>(`${type}?_summary=count`)).total;

  it('is refused where the connection says so', async () => {
    await open('reject');
    expect(told(await sent(orderMessage({ order: 'O-1', photo })))).toEqual(['AE', 'patient.unknown']);
    expect(await held()).toEqual([]);
  });

  it('is accepted and waits: nothing of it is filed, and what is wrong with it otherwise refuses it at once', async () => {
    await open();
    expect(told(await sent(orderMessage({ order: 'O-1', photo })))).toEqual(['AA', 'patient.unknown']);
    // What belongs to it waits with it, and what nobody could carry out is not kept waiting.
    expect(told(await sent(orderChange('O-1', 'XO', 'C-2')))).toEqual(['AA', 'patient.unknown']);
    const broken = orderMessage({ order: 'O-2', photo, control: 'C-3' }).replace('^Base64^', '^Base64^!!');
    expect(fieldOf(await sent(broken), 'MSA', 1)).toBe('AE');
    const items = await held();
    expect(items).toMatchObject([
      { reason: 'patient_unknown', door: 'hl7v2', actions: ['accept', 'discard'], came: { patientIds: [] } },
    ]);
    expect(items[0]!.came.messageIds).toHaveLength(2);
    expect([await count('Patient'), await count('Media'), await count('ServiceRequest')]).toEqual([0, 0, 0]);
    const { body } = await gateway.admin('GET', `/trace?id=O-1`);
    expect(JSON.stringify(body)).toContain('held until its patient is announced');
  });

  it('is not settled by what its actions do not take, nor by somebody else', async () => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    const [item] = await held();
    const refused = async (resolution: object) => {
      const { status, body } = await decide(item!.id, resolution);
      return [status, (body as { code: string }).code];
    };
    expect(await refused({ action: 'link', to: 'Patient/1' })).toEqual([409, 'held.action']);
    expect(await refused({ action: 'accept', to: 'Patient/1' })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'accept', authority: 'urn:oid:2.999.1' })).toEqual([400, 'request.invalid']);
    const stranger = await gateway.createClient();
    expect(
      (await stranger.request('POST', `/api/v1/held/${item!.id}/resolve`, { json: { action: 'accept' } })).status,
    ).toBe(404);
    expect((await held()).map(({ id }) => id)).toEqual([item!.id]);
  });

  it('goes on by itself, in the order of receipt, once the patient is announced by ADT', async () => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    await sent(orderChange('O-2', 'NW', 'C-2'));
    expect(told(await sent(announced('C-3')))).toEqual(['AA', '']);
    const result = await hospital.result('O-1');
    expect(fieldOf(result, 'PID', 5)).toMatch(/^Beispiel\^Änna/);
    await nothingWaits();
    await eventually('both orders', async () => ((await count('ServiceRequest')) === 2 ? true : null));
    expect([await count('Patient'), hospital.resultsOf('O-1')]).toEqual([1, [expect.any(String)]]);
    // Who is known from now on is named without a wait.
    expect(told(await sent(orderChange('O-3', 'NW', 'C-4')))).toEqual(['AA', '']);
  });

  it.each([
    [
      'FHIR',
      () =>
        hospital.client.request('POST', '/fhir/Patient', {
          json: {
            resourceType: 'Patient',
            identifier: [{ system: PATIENT_NUMBERS, value: 'MRN-1' }],
          } satisfies Patient,
          headers: { 'content-type': 'application/fhir+json' },
        }),
    ],
    [
      'REST',
      async () =>
        hospital.client.startJob({
          imageId: await hospital.client.uploadPhoto(await drawSmallWoundPhoto({ seed: 5 })),
          subject: { patientId: 'MRN-1', patientSystem: PATIENT_NUMBERS, woundId: 'W-2' },
        }),
    ],
    ['a merge', () => sent(mergeMessage('MRN-1', 'MRN-2', 'C-9'))],
  ])('goes on by itself once the patient comes by %s', async (_, come) => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    expect(await held()).toHaveLength(1);
    await come();
    await hospital.result('O-1');
    await nothingWaits();
  });

  it('goes on where the number was announced by another form of its authority, once the two are known to be one', async () => {
    await open();
    const short = orderMessage({ order: 'O-1', photo }).replace('^^^HOSP&1.2.3.4.5.6&ISO^MR', '^^^HOSP^MR');
    expect(told(await sent(short))).toEqual(['AA', 'patient.unknown']);
    await sent(announced('C-2'));
    await hospital.result('O-1');
    await nothingWaits();
    expect(await count('Patient')).toBe(1);
  });

  it('is not overtaken by what comes about the patient once they are announced', async () => {
    await open();
    await sent(orderChange('O-1', 'NW', 'C-1'));
    const sender = await hospital.connect();
    await sender.ask(announced('C-2'));
    const answer = await sender.ask(orderChange('O-1', 'CA', 'C-3'));
    await sender.destroy();
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    const revoked = await eventually('the order is cancelled', async () =>
      (await hospital.read<{ total: number }>('ServiceRequest?status=revoked&_summary=count')).total === 1
        ? true
        : null,
    );
    expect([revoked, await count('ServiceRequest')]).toEqual([true, 1]);
    await nothingWaits();
  });

  it('makes the patient a record by a person’s word, and later messages go there', async () => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    const [item] = await held();
    const settled = await gateway.admin('POST', `/organizations/${hospital.organizationId}/held/${item!.id}/resolve`, {
      action: 'accept',
    });
    expect(settled.status).toBe(200);
    expect(fieldOf(await hospital.result('O-1'), 'PID', 5)).toMatch(/^Beispiel/);
    expect(told(await sent(orderChange('O-2', 'NW', 'C-2')))).toEqual(['AA', '']);
    expect([await held(), await count('Patient')]).toEqual([[], 1]);
    // What was decided goes with the patient.
    const patientId = (await hospital.read<{ entry: { resource: { id: string } }[] }>('Patient')).entry[0]!.resource.id;
    await eventually('the decision names the record', async () => {
      const came = await queryDatabase<{ came: Item['came'] }>(
        gateway.databaseUrl,
        'select came from held_items where id = $1',
        [item!.id],
      );
      return came[0]!.came.patientIds.includes(patientId) ? true : null;
    });
  });

  it('is never filed by a person’s word, not even once the patient comes', async () => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    const [item] = await held();
    expect((await decide(item!.id, { action: 'discard', note: 'Sent by mistake.' })).status).toBe(200);
    await sent(announced('C-2'));
    await sent(orderChange('O-2', 'NW', 'C-3'));
    expect([await held(), await count('Media'), await count('ServiceRequest')]).toEqual([[], 0, 1]);
  });

  it('does not wait for who is known by a job of REST alone', async () => {
    await open();
    await hospital.client.startJob({
      imageId: await hospital.client.uploadPhoto(await drawSmallWoundPhoto({ seed: 6 })),
      subject: { patientId: 'MRN-1', patientSystem: PATIENT_NUMBERS, woundId: 'W-2' },
    });
    expect(told(await sent(orderMessage({ order: 'O-1', photo })))).toEqual(['AA', '']);
    await hospital.result('O-1');
    expect(await held()).toEqual([]);
  });
});
