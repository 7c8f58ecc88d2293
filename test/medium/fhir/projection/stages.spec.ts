import type { Condition } from '@medplum/fhirtypes';
import type { ClinicianObservations } from '../../../../src/core/analysis/clinician-observations.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { WOUND } from '../../../support/follow-up-context.js';
import { lockWaitsOf } from '../../../support/lock-waits.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from './projection-ground.js';

const STATED_AT = 'https://sutura.dev/fhir/StructureDefinition/stage-stated-at';

describe('the stage of a wound as a Condition', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const assessed = (day: number, observations: ClinicianObservations) =>
    ground.followUp.assess(tenant, day, 9, WOUND, {}, { observations });
  const staged = (day: number, value: '2' | '3' | '4', statedBy?: string) =>
    assessed(day, { stage: { system: 'pressure', value, ...(statedBy === undefined ? {} : { statedBy }) } });
  const shown = async (woundId: string) =>
    (await ground.find<Condition>(tenant, 'Condition', `${woundId}-stage`))?.resource ?? null;
  const codesOf = (condition: Condition | null) => condition?.stage?.map(({ summary }) => summary?.coding?.[0]?.code);
  const faults = async () => (await ground.faultsOf(tenant)).filter(([, found]) => found.length > 0);

  it('is none where nobody stated one', async () => {
    const { content } = await assessed(0, { depthCm: 0.4 });
    await ground.deliver(tenant);
    expect(await shown(content.subject.woundRef)).toBeNull();
  });

  it('has the wound, who stated it, when, and the Observation that says so', async () => {
    const { id, content } = await staged(0, '3', 'Nurse Example');
    await ground.deliver(tenant);
    const wound = content.subject.woundRef;
    expect(await shown(wound)).toMatchObject({
      meta: { profile: ['https://sutura.dev/fhir/StructureDefinition/sutura-wound-stage'] },
      extension: [{ valueReference: { reference: `BodyStructure/${wound}` } }],
      clinicalStatus: { coding: [{ code: 'active' }] },
      asserter: { display: 'Nurse Example' },
      stage: [
        {
          extension: [{ url: STATED_AT, valueDateTime: content.capturedAt }],
          summary: { coding: [{ code: 'stage-pressure-3' }], text: 'Pressure injury, stage 3' },
          assessment: [{ reference: `Observation/${id}-stated-stage` }],
        },
      ],
    });
    expect(await faults()).toEqual([]);
  });

  it.each([[false], [true]])(
    'says the newest of each classification, in whichever order they come (%s)',
    async (back) => {
      const { content } = await staged(0, '2');
      await assessed(7, { stage: { system: 'wagner', value: '2' } });
      await staged(14, '4');
      await staged(10, '3');
      await ground.deliver(tenant, back);
      expect(codesOf(await shown(content.subject.woundRef))).toEqual(['stage-pressure-4', 'stage-wagner-2']);
      expect(await faults()).toEqual([]);
    },
  );

  it('is withdrawn with the last report that states it, and follows the closing of its wound', async () => {
    const { id, content } = await staged(0, '3');
    const wound = content.subject.woundRef;
    await ground.deliver(tenant);
    await ground.within(tenant, (transaction) =>
      ground.followUp.wounds.close(transaction, wound, {
        reason: 'healed',
        decidedAt: null,
        reviewer: null,
        note: null,
        enteredBy: undefined,
      }),
    );
    await ground.handle(tenant, 'wound.closed', wound);
    expect((await shown(wound))?.clinicalStatus?.coding?.[0]?.code).toBe('inactive');
    await ground.followUp.review(
      tenant,
      { id, version: (await ground.followUp.read(tenant, id)).version },
      { decision: 'reject' },
    );
    await ground.deliver(tenant);
    expect(await shown(wound)).toMatchObject({ verificationStatus: { coding: [{ code: 'entered-in-error' }] } });
    expect(await shown(wound)).not.toHaveProperty('clinicalStatus');
    expect(await faults()).toEqual([]);
  });

  it('is the stage that was stated last, and not that of the last photo', async () => {
    const { content } = await staged(1, '4');
    await assessed(3, { stage: { system: 'pressure', value: '2' }, statedAt: { stage: '2025-01-07' } });
    await ground.deliver(tenant);
    expect(codesOf(await shown(content.subject.woundRef))).toEqual(['stage-pressure-4']);
  });

  it('names nobody over stages of several persons', async () => {
    const { content } = await staged(0, '3', 'Dr Example');
    await assessed(1, { stage: { system: 'wagner', value: '2', statedBy: 'Nurse Example' } });
    await ground.deliver(tenant);
    expect(await shown(content.subject.woundRef)).not.toHaveProperty('asserter');
  });

  it('is not written over by who read the reports before', async () => {
    const { content } = await staged(0, '3');
    const wound = content.subject.woundRef;
    await ground.deliver(tenant);
    const reports = context.get(ReportRepository);
    const stages = reports.stages.bind(reports);
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let isRead = false;
    const reading = jest.spyOn(reports, 'stages').mockImplementationOnce(async (...asked) => {
      const found = await stages(...asked);
      isRead = true;
      await mayGoOn;
      return found;
    });
    const slow = ground.handle(tenant, 'wound.closed', wound);
    await eventually('the reports are read', () => isRead);
    await staged(1, '4');
    let isDone = false;
    const fast = ground.deliver(tenant).finally(() => (isDone = true));
    await eventually(
      'the newer stage is written, or waits',
      async () => isDone || (await lockWaitsOf(database.url)) > 0,
    );
    goOn();
    await Promise.all([slow, fast]);
    reading.mockRestore();
    expect(codesOf(await shown(wound))).toEqual(['stage-pressure-4']);
  });

  it('reads the series for the report that it is of, and not for each before it', async () => {
    for (const day of [0, 1, 2, 3, 4, 5]) await staged(day, '3');
    const reading = jest.spyOn(context.get(ReportRepository), 'stages');
    await ground.deliver(tenant, true);
    const times = reading.mock.calls.length;
    reading.mockRestore();
    expect(times).toBeGreaterThan(0);
    expect(times).toBeLessThanOrEqual(2);
  });
});
