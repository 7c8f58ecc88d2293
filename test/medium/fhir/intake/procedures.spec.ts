import type { Procedure } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { Outbox } from '../../../../src/core/domain-events/outbox.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { tenantOf } from '../../../../src/core/tenancy/tenant.js';
import { ClinicalEventService } from '../../../../src/core/wounds/clinical-event.service.js';
import { MissingResources } from '../../../../src/doors/fhir/projection/missing-resources.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { PATIENT_NUMBERS, WOUND_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';
import { takeEvents } from '../../../support/outbox-events.js';

const TARGET = 'http://hl7.org/fhir/StructureDefinition/procedure-targetBodyStructure';
const OWN = 'https://sutura.dev/fhir/CodeSystem/wound-observation';

describe('a Procedure', () => {
  let ground: IntakeGround;
  let caller: Caller;
  let patient: string;
  let wound: string;

  beforeAll(async () => {
    ground = await IntakeGround.open();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller('pro', { timeZone: 'Europe/Berlin' });
    patient = (await ground.post(caller, patientOf('MRN-1'))).resource.id!;
    wound = (await ground.post(caller, woundOf(patient))).resource.id!;
  });

  const procedure = (more: Partial<Procedure> = {}, woundId: string | null = wound): Procedure => ({
    resourceType: 'Procedure',
    status: 'completed',
    ...(woundId === null
      ? {}
      : { extension: [{ url: TARGET, valueReference: { reference: `BodyStructure/${woundId}` } }] }),
    code: { coding: [{ system: 'http://snomed.info/sct', code: '36777000', display: 'Debridement' }] },
    subject: { reference: `Patient/${patient}` },
    performedDateTime: '2026-03-03T10:15:00+01:00',
    ...more,
  });
  const post = async (given: Procedure) => (await ground.post(caller, given)).resource;
  const events = (of = wound) =>
    ground.within(
      caller,
      async ({ transaction }) => (await ground.get(ClinicalEventService).list(transaction, of)).events,
    );
  /** As over HTTP, where an update may create. */
  const ask = (method: 'PUT' | 'DELETE', id: string, resource?: Procedure) =>
    ground.transact(caller, {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ ...(resource === undefined ? {} : { resource }), request: { method, url: `Procedure/${id}` } }],
    });
  /** As over REST. */
  const record = async (of = wound) => {
    const stated = { type: 'debridement', occurredAt: new Date('2026-03-03T09:15:00Z'), note: null, by: null } as const;
    const { event } = await ground.within(caller, ({ transaction }) =>
      ground.get(ClinicalEventService).record(transaction, of, stated),
    );
    return event;
  };
  const refusal = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'none';
    } catch (fault) {
      const { code, issues } = fault as { code: string; issues?: readonly { details: string }[] };
      return `${code}: ${issues?.[0]?.details ?? ''}`;
    }
  };

  it('is refused of two wounds, without a day, of a time to come, and of another patient’s wound', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const [second, strange] = [
      (await ground.post(caller, { ...woundOf(patient), identifier: [{ value: 'W-2' }] })).resource.id!,
      (await ground.post(caller, woundOf(other))).resource.id!,
    ];
    const both = [...procedure().extension!, ...procedure({}, second).extension!];
    expect(await refusal(post(procedure({ extension: both })))).toContain('Name one wound');
    expect(await refusal(post(procedure({ performedDateTime: '2026-03' })))).toContain('State the day');
    expect(await refusal(post(procedure({ performedDateTime: '2096-03-03' })))).toContain('capture.future');
    expect(await refusal(post(procedure({}, strange)))).toContain('another patient’s');
    expect(await events()).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['http://snomed.info/sct', '36777000', 'debridement'],
    ['http://snomed.info/sct', '18949003', 'dressing_change'],
    [OWN, 'event-negative-pressure', 'negative_pressure'],
    ['https://house.example', 'VAC', 'other'],
  ])('that names a wound, of %s %s, is a clinical event of it: %s', async (system, code, type) => {
    const made = await post(
      procedure({
        code: { coding: [{ system, code }] },
        performer: [{ actor: { identifier: { value: 'HCP-0042' }, display: 'Example Reviewer' } }],
        note: [{ text: 'To bleeding tissue.' }],
      }),
    );
    expect(await events()).toMatchObject([
      {
        id: made.id,
        type,
        occurredAt: new Date('2026-03-03T09:15:00Z'),
        note: 'To bleeding tissue.',
        by: { id: 'HCP-0042', name: 'Example Reviewer' },
        withdrawal: null,
      },
    ]);
  });

  it('of a day is of its beginning by the clocks of the organization, and keeps the words of an unknown code', async () => {
    await post(procedure({ performedDateTime: '2026-03-03', code: { text: 'Larval therapy' } }));
    expect(await events()).toMatchObject([
      { type: 'other', note: 'Larval therapy', occurredAt: new Date('2026-03-02T23:00:00Z') },
    ]);
  });

  it('is kept and no event where it names no wound, or was not done', async () => {
    await post(procedure({}, null));
    await post(procedure({ status: 'not-done' }));
    await post(procedure({ status: 'preparation' }));
    expect(await events()).toEqual([]);
  });

  it('is stated once: what it says is not changed, but withdrawn, and then stays so', async () => {
    const made = await post(procedure());
    expect(await refusal(ground.put(caller, { ...made, performedDateTime: '2026-03-04' }))).toContain('stated once');
    await ground.put(caller, { ...made, category: { text: 'Wound care' } });
    await ground.put(caller, { ...made, status: 'entered-in-error' });
    expect(await events()).toMatchObject([{ id: made.id, withdrawal: { by: null } }]);
    expect(await refusal(ground.put(caller, made))).toContain('stated once');
  });

  it('that was withdrawn is stated of no other wound under its id, also where it was deleted', async () => {
    const second = (await ground.post(caller, { ...woundOf(patient), identifier: [{ value: 'W-2' }] })).resource.id!;
    const { id } = await post(procedure());
    await ground.put(caller, procedure({ id, status: 'entered-in-error' }));
    expect(await refusal(ground.put(caller, procedure({ id }, second)))).toContain('stated once');
    await ground.put(caller, procedure({ id, status: 'entered-in-error' }, second));
    expect(await refusal(ground.put(caller, procedure({ id }, second)))).toContain('stated once');
    await ask('DELETE', id!);
    expect(await refusal(ask('PUT', id!, procedure({ id }, second)))).toContain('stated once');
    expect(await refusal(ask('PUT', id!, procedure({ id })))).toContain('stated once');
    expect([await events(second), (await events()).length]).toEqual([[], 1]);
  });

  it('that is put under the id of an event, before the event is shown, is refused: it would be another, and the event would stand', async () => {
    const { id } = await record();
    expect(await refusal(ask('PUT', id, procedure({ id, status: 'entered-in-error' })))).toContain(
      'a record of this service has the id',
    );
    await ground.relay();
    await ask('PUT', id, procedure({ id, status: 'entered-in-error' }));
    expect(await events()).toMatchObject([{ id, withdrawal: { by: null } }]);
  });

  it('that was deleted stays gone: its event is withdrawn, and nothing shows it again', async () => {
    const { id } = await post(procedure({ note: [{ text: 'To bleeding tissue.' }] }));
    await ask('DELETE', id!);
    await ground.relay();
    await expect(ground.find<Procedure>(caller, 'Procedure', id!)).rejects.toThrow('no Procedure');
    expect(await events()).toMatchObject([{ id, withdrawal: { by: null } }]);
  });

  it('that was planned is an event once it was done', async () => {
    const made = await post(procedure({ status: 'preparation' }));
    await ground.put(caller, { ...made, status: 'completed' });
    expect(await events()).toMatchObject([{ id: made.id, type: 'debridement' }]);
  });

  it('shows what was recorded natively, and that it was withdrawn', async () => {
    const service = ground.get(ClinicalEventService);
    const said = { note: 'Sharp.', by: { id: 'HCP-0042', name: 'Example Reviewer' } };
    const { event } = await ground.within(caller, ({ transaction }) =>
      service.record(transaction, wound, { ...said, type: 'graft', occurredAt: new Date('2026-03-03T09:15:00Z') }),
    );
    await ground.relay();
    const shown = await ground.find<Procedure>(caller, 'Procedure', event.id);
    expect(shown).toMatchObject({
      status: 'completed',
      code: { coding: [{ system: OWN, code: 'event-graft' }] },
      subject: { reference: `Patient/${patient}` },
      extension: [{ url: TARGET, valueReference: { reference: `BodyStructure/${wound}` } }],
      performer: [{ actor: { identifier: { value: 'HCP-0042' } } }],
      note: [{ text: 'Sharp.' }],
    });
    await ground.within(caller, ({ transaction }) => service.withdraw(transaction, wound, event.id, said));
    await ground.relay();
    expect(await ground.find<Procedure>(caller, 'Procedure', event.id)).toMatchObject({ status: 'entered-in-error' });
  });

  it('shows what was recorded before its wound had a BodyStructure', async () => {
    const unseen = {
      ...tenantOf(caller),
      id: v7(),
      patientId: patient,
      patient: { system: PATIENT_NUMBERS, value: 'MRN-1' },
      woundIdSystem: WOUND_NUMBERS,
      woundId: 'W-9',
      bodySite: null,
      laterality: null,
      woundType: null,
      status: 'open',
      closedAt: null,
      mergedInto: null,
      createdAt: new Date(),
    } as const;
    await ground.within(caller, ({ transaction }) => ground.get(WoundRepository).insert(transaction, unseen));
    const { id } = await record(unseen.id);
    await ground.relay();
    await expect(ground.find<Procedure>(caller, 'Procedure', id)).rejects.toThrow('no Procedure');
    expect((await ground.post(caller, woundOf(patient, 'W-9'))).resource.id).toBe(unseen.id);
    expect(await ground.find<Procedure>(caller, 'Procedure', id)).toMatchObject({
      extension: [{ valueReference: { reference: `BodyStructure/${unseen.id}` } }],
    });
  });

  it('shows what was recorded by an earlier release, but nothing that was withdrawn or deleted since', async () => {
    const shown = await record();
    const withdrawn = await record();
    const { id: deleted } = await post(procedure());
    await ground.within(caller, ({ transaction }) =>
      ground.get(ClinicalEventService).withdraw(transaction, wound, withdrawn.id, { note: null, by: null }),
    );
    await ask('DELETE', deleted!);
    // As nobody projected these then.
    await takeEvents(ground.get(Outbox));
    const written: number[] = [];
    const write = () => ground.get(MissingResources).write(caller, (_looked, all) => written.push(all) > 0);
    await write();
    expect(await ground.find<Procedure>(caller, 'Procedure', shown.id)).toMatchObject({ status: 'completed' });
    for (const id of [withdrawn.id, deleted!])
      await expect(ground.find<Procedure>(caller, 'Procedure', id)).rejects.toThrow('no Procedure');
    await write();
    expect(written).toEqual([1]);
  });

  it('of a client stays as it was written, but for what was withdrawn natively', async () => {
    const made = await post(procedure({ category: { text: 'Wound care' } }));
    await ground.relay();
    expect((await ground.find<Procedure>(caller, 'Procedure', made.id!)).meta?.versionId).toBe('1');
    await ground.within(caller, ({ transaction }) =>
      ground.get(ClinicalEventService).withdraw(transaction, wound, made.id!, { note: null, by: null }),
    );
    await ground.relay();
    expect(await ground.find<Procedure>(caller, 'Procedure', made.id!)).toMatchObject({
      status: 'entered-in-error',
      category: { text: 'Wound care' },
    });
  });
});
