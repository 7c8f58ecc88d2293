import type {
  BodyStructure,
  DiagnosticReport,
  DocumentReference,
  Media,
  Observation,
  Patient,
  Provenance,
  ServiceRequest,
  Task,
} from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AnalysisRequestRepository } from '../../../../src/core/analysis/analysis-request.repository.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { orderOf } from '../../../../src/doors/fhir/projection/task-projection.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { REVIEWER, WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { rectangle } from '../../../support/wound-results.js';
import { ProjectionGround } from './projection-ground.js';

const WOUND_EXTENSION = 'https://sutura.dev/fhir/StructureDefinition/wound';
const CONTOUR = [rectangle(20, 20, 120, 120)];

describe('reports as FHIR', () => {
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

  const shown = (report: Pick<ClinicalReport, 'id'>) =>
    ground.find<DiagnosticReport>(tenant, 'DiagnosticReport', report.id);
  const observation = (report: Pick<ClinicalReport, 'id'>, measure: string) =>
    ground.read<Observation>(tenant, 'Observation', `${report.id}-${measure}`);
  const faults = async (of = ground) => (await of.faultsOf(tenant)).filter(([, found]) => found.length > 0);
  const woundOf = (resource: DiagnosticReport | Media) =>
    resource.extension?.find(({ url }) => url === WOUND_EXTENSION)?.valueReference?.reference;
  /** A report with its resources. */
  const assess = async (
    ...wish: Parameters<ProjectionGround['followUp']['assess']> extends [Tenant, ...infer Rest] ? Rest : never
  ) => {
    const report = await ground.followUp.assess(tenant, ...wish);
    await ground.deliver(tenant);
    return report;
  };

  describe('makes nothing', () => {
    it('of a report of nobody', async () => {
      await assess(0, 9, null);
      expect(await ground.all(tenant)).toEqual([]);
    });

    it('again, however often the event comes and to however many processes at once', async () => {
      const report = await ground.followUp.assess(tenant, 0, 9);
      const other = new ProjectionGround(context);
      await Promise.all(
        [1, 2, 3].flatMap(() => [ground, other].map((one) => one.handle(tenant, 'report.ready', report.id))),
      );
      await ground.handle(tenant, 'report.amended', report.id);
      const versions = (await ground.all(tenant)).map(({ meta }) => meta?.versionId);
      expect(versions).toHaveLength(12);
      expect(new Set(versions)).toEqual(new Set(['1']));
    });

    it('of an event about a report that is not there', async () => {
      await ground.handle(tenant, 'report.ready', v7());
      expect(await ground.all(tenant)).toEqual([]);
    });
  });

  it('makes everything that a report refers to, and all of it meets its profile', async () => {
    const report = await assess(0, 9);
    const types = (await ground.all(tenant)).map(({ resourceType }) => resourceType);
    expect(types).toEqual([
      'BodyStructure',
      'Device',
      'DiagnosticReport',
      'Media',
      'Observation',
      'Observation',
      'Observation',
      'Observation',
      'Organization',
      'Patient',
      'Provenance',
      'Task',
    ]);
    expect(await faults()).toEqual([]);
    expect(await ground.read<Task>(tenant, 'Task', report.jobId)).toMatchObject({
      status: 'completed',
      output: [{ valueReference: { reference: `DiagnosticReport/${report.id}` } }],
    });
    const { resource } = (await shown(report))!;
    expect(resource.presentedForm).toMatchObject([{ contentType: 'application/pdf', url: `Binary/${report.id}-v1` }]);
    expect(
      await ground.read<Patient>(tenant, 'Patient', resource.subject!.reference!.slice('Patient/'.length)),
    ).toMatchObject({ identifier: [{ value: WOUND.patientId }] });
  });

  it.each([
    ['no wound', { boxes: [] }],
    ['no scale', { mmPerPixel: null }],
    [
      'several wounds',
      {
        boxes: [
          [100, 100, 200, 200],
          [300, 300, 380, 380],
        ],
      },
    ],
    ['a blurred photo', { blurred: true }],
  ] as const)('shows %s in resources that meet their profiles', async (_, drawn) => {
    await assess(0, 9, WOUND);
    await assess(1, 9, WOUND, drawn);
    expect(await faults()).toEqual([]);
  });

  describe('each version of a report', () => {
    it('is one version of its DiagnosticReport, also where several were missed', async () => {
      const report = await ground.followUp.assess(tenant, 0, 9);
      const accepted = await ground.followUp.review(tenant, report, { decision: 'accept' });
      const corrected = await ground.followUp.review(tenant, accepted, { decision: 'correct', contour: CONTOUR });
      await ground.deliver(tenant, true);
      expect(await shown(report)).toMatchObject({ version: corrected.version, resource: { status: 'corrected' } });
      const { versions: history } = await ground.within(tenant, (transaction) =>
        ground.store.history(transaction, 'DiagnosticReport', report.id, 10, null),
      );
      expect(history.map(({ resource }) => (resource as DiagnosticReport).status)).toEqual([
        'corrected',
        'final',
        'preliminary',
      ]);
      expect(await faults()).toEqual([]);
    });

    it('has its Provenance: the device’s, then the person’s who decided', async () => {
      const report = await assess(0, 9);
      await ground.followUp.review(tenant, report, { decision: 'accept' });
      await ground.deliver(tenant);
      const [made, accepted] = [
        await ground.read<Provenance>(tenant, 'Provenance', `${report.id}-v1`),
        await ground.read<Provenance>(tenant, 'Provenance', `${report.id}-v2`),
      ];
      expect(made).toMatchObject({
        activity: { coding: [{ code: 'CREATE' }] },
        agent: [{ type: { coding: [{ code: 'assembler' }] } }, { type: { coding: [{ code: 'informant' }] } }],
      });
      expect(accepted).toMatchObject({
        activity: { coding: [{ code: 'UPDATE' }] },
        agent: [
          {
            type: { coding: [{ code: 'verifier' }] },
            who: { identifier: { value: REVIEWER.id }, display: REVIEWER.name },
          },
          {},
        ],
        entity: expect.arrayContaining([
          { role: 'revision', what: { reference: `DiagnosticReport/${report.id}/_history/1` } },
        ]),
      });
    });

    it('shows a person’s figures as theirs', async () => {
      const report = await assess(0, 9);
      const patient = (await observation(report, 'area')).subject!.reference!;
      await ground.followUp.review(tenant, report, { decision: 'correct', contour: CONTOUR });
      await ground.deliver(tenant);
      const area = await observation(report, 'area');
      expect(area).toMatchObject({
        status: 'final',
        performer: [{ display: REVIEWER.name }],
        subject: { reference: patient },
      });
      expect(area.meta?.security).toBeUndefined();
      expect(area.device).toBeUndefined();
      expect(await faults()).toEqual([]);
    });

    it('follows where another photo of the wound changes its figures', async () => {
      const [first, third] = [await assess(0, 9), await assess(2, 5)];
      const late = await assess(1, 7);
      expect(await shown(third)).toMatchObject({ version: 2 });
      expect(await observation(third, 'progress')).toMatchObject({
        derivedFrom: [{ reference: `Observation/${third.id}-area` }, { reference: `Observation/${late.id}-area` }],
      });
      expect(await shown(first)).toMatchObject({ version: 1 });
      expect(await faults()).toEqual([]);
    });

    it('withdraws a figure that only another photo had given it', async () => {
      const [first, second] = [await assess(0, 9), await assess(1, 5)];
      expect(await observation(second, 'progress')).toMatchObject({ status: 'preliminary' });
      await ground.followUp.review(tenant, first, { decision: 'reject' });
      await ground.deliver(tenant);
      expect(await shown(first)).toMatchObject({ resource: { status: 'entered-in-error' } });
      expect(await observation(second, 'progress')).toMatchObject({ status: 'entered-in-error' });
      expect((await shown(second))!.resource.result).not.toContainEqual({
        reference: `Observation/${second.id}-progress`,
      });
      expect(await faults()).toEqual([]);
    });
  });

  describe('under another patient or wound', () => {
    it('is a new report after a reassignment, and its photo is the right patient’s', async () => {
      const report = await assess(0, 9);
      const filed = await ground.followUp.review(tenant, report, {
        decision: 'reassign',
        subject: { patientId: 'MRN-2', woundId: 'W7' },
      });
      await ground.deliver(tenant);
      const [old, fresh] = [(await shown(report))!.resource, (await shown(filed))!.resource];
      expect([old.status, fresh.status]).toEqual(['entered-in-error', 'preliminary']);
      expect(fresh.subject).not.toEqual(old.subject);
      expect(fresh.extension).toContainEqual({
        url: 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces',
        valueReference: { reference: `DiagnosticReport/${report.id}` },
      });
      const media = await ground.read<Media>(tenant, 'Media', report.imageId);
      expect([media.subject, woundOf(media)]).toEqual([fresh.subject, woundOf(fresh)]);
      expect(await faults()).toEqual([]);
    });

    it('is first in FHIR where a report of nobody is given its patient', async () => {
      const report = await assess(0, 9, null);
      const filed = await ground.followUp.review(tenant, report, { decision: 'reassign', subject: WOUND });
      await ground.deliver(tenant);
      expect(await shown(report)).toBeNull();
      const fresh = (await shown(filed))!.resource;
      expect(JSON.stringify(fresh)).not.toContain(report.id);
      expect(await ground.read<Task>(tenant, 'Task', report.jobId)).toMatchObject({
        status: 'completed',
        output: [{ valueReference: { reference: `DiagnosticReport/${filed.id}` } }],
      });
      expect(await faults()).toEqual([]);
    });

    it('stands in the series of the wound that it was joined into', async () => {
      const [first, second] = [await assess(0, 9), await assess(1, 5, { ...WOUND, woundId: 'W2' })];
      const [into, wound] = [first.content.subject.woundRef, second.content.subject.woundRef];
      await ground.followUp.within(tenant, (transaction) =>
        ground.followUp.wounds.merge(transaction, wound, into, { reviewer: REVIEWER, note: null }),
      );
      await ground.deliver(tenant);
      const moved = (await shown(second))!.resource;
      expect([woundOf(moved), woundOf(await ground.read<Media>(tenant, 'Media', second.imageId))]).toEqual([
        `BodyStructure/${into}`,
        `BodyStructure/${into}`,
      ]);
      expect(moved.extension).toContainEqual({
        url: 'https://sutura.dev/fhir/StructureDefinition/previous-assessment',
        valueReference: { reference: `DiagnosticReport/${first.id}` },
      });
    });
  });

  it('leaves what a client wrote as it is, and takes order, number and encounter from there', async () => {
    const patientId = await ground.within(tenant, (transaction) =>
      context.get(PatientRepository).resolve(transaction, { system: '', value: WOUND.patientId! }, v7()),
    );
    const patient = { reference: `Patient/${patientId}` };
    const [orderId, encounter] = [v7(), { reference: `Encounter/${v7()}` }];
    const placer = {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'PLAC' }] },
      system: 'urn:oid:1.2.3',
      value: 'ORD-1',
    };
    await ground.insert<Patient>(tenant, { resourceType: 'Patient', id: patientId, birthDate: '1950-02-03' });
    await ground.insert<ServiceRequest>(tenant, {
      resourceType: 'ServiceRequest',
      id: orderId,
      status: 'active',
      intent: 'order',
      subject: patient,
      encounter,
      identifier: [placer],
    });
    const job = await ground.followUp.completeJob(tenant, 0, 9);
    await ground.insert<Task>(tenant, {
      resourceType: 'Task',
      id: job.id,
      status: 'accepted',
      intent: 'order',
      basedOn: [{ reference: `ServiceRequest/${orderId}` }],
      note: [{ text: 'kept' }],
    });
    await ground.followUp.assembly.assemble(tenant, job.id);
    await ground.deliver(tenant);
    expect(await shown({ id: job.reportId })).toMatchObject({
      resource: { basedOn: [{ reference: `ServiceRequest/${orderId}` }], encounter, identifier: [{}, placer] },
    });
    expect(await ground.find(tenant, 'Patient', patientId)).toMatchObject({
      version: 1,
      resource: { birthDate: '1950-02-03' },
    });
    expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
      status: 'completed',
      note: [{ text: 'kept' }],
    });
  });

  it.each([
    [
      'the first that is not said to be anything else',
      [
        { type: { coding: [{ code: 'FILL' }] }, system: 'urn:x', value: 'F-1' },
        { use: 'old', system: 'urn:oid:1.2.3', value: 'ORD-0' },
        { system: 'urn:oid:1.2.3', value: 'ORD-1' },
        { value: 'ORD-2' },
      ],
      { system: 'urn:oid:1.2.3', value: 'ORD-1' },
    ],
    [
      'none, where all are something else',
      [{ type: { coding: [{ code: 'FILL' }] }, system: 'urn:x', value: 'F-1' }],
      null,
    ],
  ])('takes for the placer’s number of an order %s', (_, identifier, placer) => {
    expect(
      orderOf({
        resourceType: 'ServiceRequest',
        id: '1',
        status: 'active',
        intent: 'order',
        identifier,
      } as unknown as ServiceRequest),
    ).toEqual({ reference: 'ServiceRequest/1', placer });
  });

  describe('an order', () => {
    async function ordered(week: number, orderId: string, more: Partial<ServiceRequest> = {}): Promise<string> {
      const patientId = await ground.within(tenant, (transaction) =>
        context.get(PatientRepository).resolve(transaction, { system: '', value: WOUND.patientId! }, v7()),
      );
      const known = await ground.find<ServiceRequest>(tenant, 'ServiceRequest', orderId);
      if (known === null)
        await ground.insert<ServiceRequest>(tenant, {
          resourceType: 'ServiceRequest',
          id: orderId,
          status: 'active',
          intent: 'order',
          subject: { reference: `Patient/${patientId}` },
          ...more,
        } as ServiceRequest);
      const job = await ground.followUp.completeJob(tenant, week, 9);
      const { clinicalContext, subject, capturedAt, mmPerPixel, clinicianObservations, priority, metadata, source } =
        job;
      const wish = {
        clinicalContext,
        subject,
        capturedAt,
        mmPerPixel,
        clinicianObservations,
        priority,
        metadata,
        source,
      };
      await ground.within(tenant, (transaction) =>
        context.get(AnalysisRequestRepository).insert(transaction, {
          ...tenant,
          id: job.id,
          orderKey: `ServiceRequest/${orderId}`,
          imageId: job.imageId,
          options: wish,
          state: 'started',
          error: null,
          awaitsPatient: false,
          retryAt: new Date(),
          createdAt: new Date(),
        }),
      );
      await ground.followUp.assembly.assemble(tenant, job.id);
      await ground.deliver(tenant);
      return job.reportId;
    }
    const statusOf = async (orderId: string) =>
      (await ground.read<ServiceRequest>(tenant, 'ServiceRequest', orderId)).status;
    async function accept(reportId: string): Promise<void> {
      const report = (await ground.within(tenant, (transaction) =>
        context.get(ReportRepository).find(transaction, reportId),
      ))!.report;
      await ground.followUp.review(tenant, report, { decision: 'accept' });
      await ground.deliver(tenant);
    }

    it('is completed by the final report of the last of its photos, and not by a preliminary one', async () => {
      const orderId = v7();
      const [first, second] = [await ordered(0, orderId), await ordered(1, orderId)];
      expect(await statusOf(orderId)).toBe('active');
      await accept(first);
      expect(await statusOf(orderId)).toBe('active');
      await accept(second);
      expect(await statusOf(orderId)).toBe('completed');
      expect(await faults()).toEqual([]);
    });

    it('that is repeated by a schedule goes on', async () => {
      const orderId = v7();
      await accept(
        await ordered(0, orderId, { occurrenceTiming: { repeat: { frequency: 1, period: 1, periodUnit: 'wk' } } }),
      );
      expect(await statusOf(orderId)).toBe('active');
    });
  });

  describe('as the operator wishes', () => {
    it('says nothing in SNOMED CT', async () => {
      const plain = new ProjectionGround(context, { FHIR_SNOMED: 'off' });
      const site = { system: 'http://snomed.info/sct', code: '84607009', display: 'Skin of heel' };
      for (const week of [0, 1])
        await ground.followUp.assess(tenant, week, 9 - 3 * week, {
          ...WOUND,
          bodySite: site,
          woundType: { ...site, code: '399912005', display: 'Pressure sore' },
        });
      await plain.deliver(tenant);
      expect(JSON.stringify(await ground.all(tenant))).not.toContain('snomed');
      expect(await faults()).toEqual([]);
    });

    it('gives size and tissue in the guide’s form, and never both forms', async () => {
      const guided = new ProjectionGround(context, { FHIR_STYLE: 'skin-wound-ig' });
      const report = await ground.followUp.assess(tenant, 0, 9);
      await guided.deliver(tenant);
      expect(await observation(report, 'size')).toMatchObject({ code: { coding: [{ code: '72287-6' }] } });
      expect(await ground.find(tenant, 'Observation', `${report.id}-area`)).toBeNull();
      expect(await faults()).toEqual([]);
      // Back again: the guide's form is withdrawn with the next version.
      await ground.followUp.review(tenant, report, { decision: 'accept' });
      await ground.deliver(tenant);
      expect([(await observation(report, 'size')).status, (await observation(report, 'area')).status]).toEqual([
        'entered-in-error',
        'final',
      ]);
    });

    it('mirrors photos as documents', async () => {
      const mirrored = new ProjectionGround(context, { FHIR_PHOTO_AS: 'both' });
      const report = await ground.followUp.assess(tenant, 0, 9);
      await mirrored.deliver(tenant);
      const [media, document] = [
        await ground.read<Media>(tenant, 'Media', report.imageId),
        await ground.read<DocumentReference>(tenant, 'DocumentReference', report.imageId),
      ];
      expect(document).toMatchObject({
        subject: media.subject,
        content: [{ attachment: media.content }],
        extension: [
          { url: WOUND_EXTENSION, valueReference: { reference: `BodyStructure/${report.content.subject.woundRef}` } },
        ],
      });
      expect(await faults()).toEqual([]);
    });
  });

  it('shows what was reported before there was this door, once, oldest first', async () => {
    const reports = [await ground.followUp.assess(tenant, 0, 9), await ground.followUp.assess(tenant, 1, 7)];
    await ground.followUp.review(tenant, reports[0]!, { decision: 'accept' });
    await ground.followUp.assess(tenant, 2, 5, null);
    await ground.followUp.takeReportEvents(tenant);
    await ground.opened.open(tenant);
    expect(await ground.backfill.run()).toBeGreaterThanOrEqual(2);
    expect(await shown(reports[0]!)).toMatchObject({ version: 2, resource: { status: 'final' } });
    expect(await shown(reports[1]!)).not.toBeNull();
    expect(await ground.backfill.run()).toBe(0);
    const body = await ground.read<BodyStructure>(tenant, 'BodyStructure', reports[0]!.content.subject.woundRef);
    expect(body.identifier).toEqual([{ value: WOUND.woundId }]);
  });
});
