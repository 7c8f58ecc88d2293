import type { Media } from '@medplum/fhirtypes';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { mediaOf } from '../../support/intake-resources.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const HERE = 'urn:oid:1.2.3.4.5.6';
const ELSEWHERE = 'urn:oid:2.999.6';
const PHOTO_OF = { 'content-type': 'application/fhir+json' };

interface Erasure {
  readonly state: string;
  readonly code: string;
  readonly detail?: string;
  readonly counts: readonly { readonly what: string; readonly rows: number; readonly bytes: number }[];
  readonly leftMessages: readonly string[];
}

describe('erasing somebody by a number whom nobody has announced', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let photo: Buffer;
  beforeAll(async () => {
    gateway = await sharedGateway();
    photo = await drawWoundPhoto({ seed: 91, width: 160, height: 120 });
  });
  afterEach(() => hospital?.close());

  const open = async (unknownPatient = 'hold'): Promise<void> => {
    hospital = await Hl7Hospital.open(gateway, { unknownPatient });
  };
  const order = (mrn: string, number = 'O-UN-1', authority = '1.2.3.4.5.6') =>
    orderMessage({ order: number, photo, mrn }).replaceAll('HOSP&1.2.3.4.5.6&ISO', `HOSP&${authority}&ISO`);
  const sent = async (message: string): Promise<string> => fieldOf((await hospital.send(message))!, 'MSA', 1);
  const erased = async (patient: string, more: object = {}): Promise<[number, Erasure]> => {
    const { status, body } = await gateway.admin('POST', `/organizations/${hospital.organizationId}/patients/erase`, {
      environment: 'test',
      patient,
      ...more,
    });
    return [status, body as Erasure];
  };
  const rows = (table: string) => `(select count(*)::int from ${table} where organization_id = $1)`;
  const KEPT = `select ${rows('hl7_inbound')} as messages, ${rows('held_items')} as decisions,
    ${rows('held_awaited_numbers')} as awaited, ${rows('patients')} as patients, ${rows('patient_identifiers')} as numbers,
    ${rows('images')} as photos, ${rows('fhir_resources')} as resources`;
  const kept = async () =>
    (await queryDatabase<Record<string, number>>(gateway.databaseUrl, KEPT, [hospital.organizationId]))[0]!;
  const NOTHING = { messages: 0, decisions: 0, awaited: 0, patients: 0, numbers: 0, photos: 0, resources: 0 };
  const discardAll = async (): Promise<void> => {
    const { items } = (await hospital.client.request('GET', '/api/v1/held')).body as { items: { id: string }[] };
    for (const { id } of items) {
      const json = { action: 'discard', note: 'Not one of ours: Mrs Beispiel.' };
      expect((await hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json })).status).toBe(200);
    }
    const isWaiting = `select from hl7_inbound where organization_id = $1 and state = 'held'`;
    await eventually(
      'none waits',
      async () => (await queryDatabase(gateway.databaseUrl, isWaiting, [hospital.organizationId])).length === 0,
    );
  };

  it('is refused while the message waits, and for a number under which nothing came', async () => {
    await open();
    expect(await sent(order('UN-1'))).toBe('AA');
    expect(await erased('UN-2')).toMatchObject([404, { code: 'patient.not_found' }]);
    expect(await erased('UN-1', { system: ELSEWHERE })).toMatchObject([404, { code: 'patient.not_found' }]);
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.in_use' }]);
    expect((await erased('UN-1'))[1].detail).toContain('the list of what is held');
    // Nobody was made a patient by being looked for.
    expect(await kept()).toMatchObject({ messages: 1, decisions: 1, awaited: 1, patients: 0 });
  });

  it('takes what was discarded: text, photo, search terms, and what the person wrote who decided', async () => {
    await open();
    expect(await sent(order('UN-1'))).toBe('AA');
    await discardAll();
    const [status, preview] = await erased('UN-1', { dryRun: true });
    expect([status, preview.state]).toEqual([200, 'dry_run']);
    expect(await kept()).toMatchObject({ messages: 1, decisions: 1, patients: 0 });
    expect(await erased('UN-1')).toMatchObject([
      200,
      {
        state: 'done',
        counts: expect.arrayContaining([
          { what: 'HL7 v2 messages in', rows: 1, bytes: expect.any(Number) },
          { what: 'decisions about what was held', rows: 1, bytes: 0 },
        ]),
      },
    ]);
    expect(await kept()).toEqual(NOTHING);
    expect(await erased('UN-1')).toMatchObject([404, { code: 'patient.not_found' }]);
  });

  it('takes what was refused', async () => {
    await open('reject');
    expect(await sent(order('UN-1'))).toBe('AE');
    expect((await erased('UN-1'))[1].state).toBe('done');
    expect(await kept()).toEqual(NOTHING);
  });

  it('asks for the numbering where two people of two authorities have the number, and takes that one’s alone', async () => {
    await open();
    expect(await sent(order('UN-1'))).toBe('AA');
    expect(await sent(order('UN-1', 'O-UN-2', '2.999.6').replaceAll('HOSP&', 'OTHER&'))).toBe('AA');
    await discardAll();
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect((await erased('UN-1', { system: HERE }))[1].state).toBe('done');
    expect(await kept()).toMatchObject({ messages: 1, decisions: 1, awaited: 1 });
    expect((await erased('UN-1'))[1].state).toBe('done');
    expect(await kept()).toEqual(NOTHING);
  });

  it('leaves what waits for somebody of another authority when the one who is known by the number is erased', async () => {
    await open();
    await hospital.client.request('POST', '/fhir/Patient', {
      json: { resourceType: 'Patient', identifier: [{ system: HERE, value: 'UN-1' }] },
      headers: PHOTO_OF,
    });
    expect(await sent(order('UN-1', 'O-UN-2', '2.999.6').replaceAll('HOSP&', 'OTHER&'))).toBe('AA');
    const [, erasure] = await erased('UN-1', { system: HERE });
    expect([erasure.state, erasure.leftMessages.length]).toEqual(['done', 1]);
    expect(await kept()).toMatchObject({ messages: 1, decisions: 1, awaited: 1, patients: 0 });
  });

  it('takes a photo of FHIR that names its patient by the number alone, once it is discarded', async () => {
    await open();
    const subject = { type: 'Patient', identifier: { system: HERE, value: 'UN-1' } };
    const json = mediaOf({ data: photo.toString('base64') }, {}, { subject } as Partial<Media>);
    expect((await hospital.client.request('POST', '/fhir/Media', { json, headers: PHOTO_OF })).status).toBe(201);
    await discardAll();
    expect(await kept()).toMatchObject({ photos: 1, patients: 0 });
    expect((await erased('UN-1'))[1]).toMatchObject({ state: 'done' });
    expect(await kept()).toMatchObject({ photos: 0, patients: 0, resources: 0 });
  });

  const patientOf = async (system: string, value: string): Promise<string> => {
    const json = { resourceType: 'Patient', identifier: [{ system, value }] };
    const { status, body } = await hospital.client.request('POST', '/fhir/Patient', { json, headers: PHOTO_OF });
    expect(status).toBe(201);
    return (body as { id: string }).id;
  };
  const photoOf = async (system: string, value: string): Promise<void> => {
    const subject = { type: 'Patient', identifier: { system, value } };
    const json = mediaOf({ data: photo.toString('base64') }, {}, { subject } as Partial<Media>);
    expect((await hospital.client.request('POST', '/fhir/Media', { json, headers: PHOTO_OF })).status).toBe(201);
  };
  const elsewhere = (mrn: string, number: string) => order(mrn, number, '2.999.6').replaceAll('HOSP&', 'OTHER&');
  /** The same message with another number of the person, which is read nowhere. */
  const alsoKnownAs = (message: string, number: string): string =>
    message.replace(/^PID\|[^|]*\|[^|]*\|[^|]*\|[^|]*/m, (start) => `${start}${number}`);

  it('takes nothing of a patient who is known, by a number that their messages name beside theirs', async () => {
    await open();
    await patientOf(HERE, 'UN-1');
    expect(await sent(alsoKnownAs(order('UN-1'), '888'))).toBe('AA');
    const before = await kept();
    expect(before.messages).toBe(1);
    // Nothing is read of PID-4: nobody was held for it and nothing states it as a number.
    expect((await erased('888'))[0]).toBe(404);
    await hospital.close();
    await open('reject');
    await patientOf(HERE, 'UN-2');
    // Refused as of somebody unknown, who has one number with somebody known.
    expect(await sent(alsoKnownAs(order('UN-3'), 'UN-2'))).toBe('AE');
    expect(await erased('UN-3')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect((await erased('UN-3'))[1].detail).toContain('Nobody was announced by this number');
    expect(await kept()).toMatchObject({ messages: 1, patients: 1 });
  });

  it('takes nothing that was refused where somebody who is known has the value in another numbering', async () => {
    await open('reject');
    await patientOf(HERE, 'UN-1');
    expect(await sent(elsewhere('UN-1', 'O-UN-2'))).toBe('AE');
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    const [status, { detail }] = await erased('UN-1', { system: ELSEWHERE });
    expect([status, detail]).toEqual([409, expect.stringContaining('may be of a patient who is known here')]);
    expect(await kept()).toMatchObject({ messages: 1, patients: 1, numbers: 1 });
  });

  it('takes nothing under a number that a patient has given up', async () => {
    await open();
    const id = await patientOf(HERE, 'UN-1');
    const json = { resourceType: 'Patient', id, identifier: [{ system: HERE, value: 'UN-9' }] };
    const { status } = await hospital.client.request('PUT', `/fhir/Patient/${id}`, { json, headers: PHOTO_OF });
    expect(status).toBe(200);
    expect(await sent(order('UN-1'))).toBe('AA');
    await discardAll();
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect(await erased('UN-1', { system: HERE })).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect(await kept()).toMatchObject({ messages: 1, decisions: 1, patients: 1, numbers: 1 });
  });

  it('asks who is meant where one who is known and one who is not have the number', async () => {
    await open();
    await patientOf(HERE, 'UN-1');
    expect(await sent(elsewhere('UN-1', 'O-UN-2'))).toBe('AA');
    await discardAll();
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect(await kept()).toMatchObject({ messages: 1, patients: 1 });
    expect((await erased('UN-1', { system: ELSEWHERE }))[1].state).toBe('done');
    expect(await kept()).toMatchObject({ messages: 0, decisions: 0, awaited: 0, patients: 1, numbers: 1 });
    expect((await erased('UN-1'))[1].state).toBe('done');
  });

  it('takes the messages of the one who is known, though something was discarded of another with the number', async () => {
    await open();
    await patientOf(HERE, 'UN-1');
    expect(
      await sent(orderChange('O-UN-0', 'CA', 'C-UN-0', 'UN-1').replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')),
    ).toBe('AA');
    expect(await sent(elsewhere('UN-1', 'O-UN-2'))).toBe('AA');
    await discardAll();
    const { state, leftMessages } = await eventually('nothing of the patient is in use', async () => {
      const [status, erasure] = await erased('UN-1', { system: HERE });
      return status === 200 ? erasure : null;
    });
    expect([state, leftMessages.length]).toEqual(['done', 1]);
    expect(await kept()).toMatchObject({ messages: 1, awaited: 1, patients: 0 });
  });

  it('takes a photo of another numbering than the one of who is known by the value, and nothing while it waits', async () => {
    await open();
    await patientOf(HERE, 'UN-1');
    await photoOf(ELSEWHERE, 'UN-1');
    expect(await erased('UN-1', { system: ELSEWHERE })).toMatchObject([409, { code: 'patient.in_use' }]);
    expect(await kept()).toMatchObject({ photos: 1, patients: 1 });
    await discardAll();
    expect((await erased('UN-1', { system: ELSEWHERE }))[1].state).toBe('done');
    expect(await kept()).toMatchObject({ photos: 0, patients: 1, numbers: 1 });
  });

  it('takes photo and message of one person, whose numbering is spelled in two ways', async () => {
    await open();
    await photoOf('URN:OID:1.2.3.4.5.6', 'UN-1');
    expect(await sent(order('UN-1'))).toBe('AA');
    await discardAll();
    expect((await erased('UN-1'))[1].state).toBe('done');
    expect(await kept()).toEqual(NOTHING);
  });

  it('makes no patient of them at any time, and is done once where it is asked twice at once', async () => {
    await open();
    expect(await sent(order('UN-1'))).toBe('AA');
    await discardAll();
    const both = await Promise.all([erased('UN-1'), erased('UN-1')]);
    expect(both.map(([status]) => status).sort()).toEqual([200, 404]);
    const events = `select from outbox_events where organization_id = $1 and kind like 'patient.%'`;
    expect(await queryDatabase(gateway.databaseUrl, events, [hospital.organizationId])).toHaveLength(0);
    expect(await kept()).toEqual(NOTHING);
  });

  it('asks for the numbering of what was refused of two people of one number', async () => {
    await open('reject');
    expect(await sent(order('UN-1'))).toBe('AE');
    expect(await sent(elsewhere('UN-1', 'O-UN-2'))).toBe('AE');
    expect(await erased('UN-1')).toMatchObject([409, { code: 'patient.ambiguous' }]);
    expect(await erased('UN-1', { system: HERE })).toMatchObject([
      200,
      { state: 'done', leftMessages: [expect.any(String)] },
    ]);
    expect(await kept()).toMatchObject({ messages: 1 });
  });
});
