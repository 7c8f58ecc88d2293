import type { Patient, Resource, ResourceType, ServiceRequest } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { AnalysisJob } from '../../../../src/core/analysis/analysis-job.js';
import type { AnalysisRequest } from '../../../../src/core/analysis/analysis-request.js';
import type { DomainEventKind } from '../../../../src/core/domain-events/domain-event.js';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { AuditLog } from '../../../../src/core/audit/audit-log.js';
import { AnalysisRequestRepository } from '../../../../src/core/analysis/analysis-request.repository.js';
import { ClinicalClock } from '../../../../src/core/ports/clinical-clock.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import type { ObjectStore } from '../../../../src/core/images/object-store.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../../src/core/ports/unit-of-work.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { ReceivedOrder } from '../../../../src/standards/hl7v2/records/received-orders.js';
import type { DestinationInput, Hl7Destination } from '../../../../src/exits/mllp/settings/hl7-destination.js';
import { ListenerAuthorities } from '../../../../src/exits/mllp/destinations/listener-authorities.js';
import { FailureFactsReader } from '../../../../src/exits/mllp/results/failure-facts-reader.js';
import { FailureMessages } from '../../../../src/exits/mllp/results/failure-messages.js';
import { ReportMessages } from '../../../../src/exits/mllp/results/report-messages.js';
import { OrderAnalysesReader } from '../../../../src/exits/mllp/results/order-analyses.js';
import { OrderMembersReader } from '../../../../src/exits/mllp/results/order-members.js';
import { OrderMessageComposer } from '../../../../src/exits/mllp/results/order-message-composer.js';
import { OrderMessages } from '../../../../src/exits/mllp/results/order-messages.js';
import { OrderParts } from '../../../../src/exits/mllp/outbox/order-parts.js';
import { OrderReader } from '../../../../src/exits/mllp/results/order-reader.js';
import { ReportFactsReader } from '../../../../src/exits/mllp/results/report-facts-reader.js';
import { ReportMessageComposer } from '../../../../src/exits/mllp/results/report-message-composer.js';
import { ReportFilesReader } from '../../../../src/exits/mllp/results/report-files.js';
import { ResultQueue } from '../../../../src/exits/mllp/results/result-queue.js';
import { AnalysisReader } from '../../../../src/exits/mllp/results/analysis-reader.js';
import { StoredReportReader } from '../../../../src/exits/mllp/results/stored-report-reader.js';
import { ResultMessenger } from '../../../../src/exits/mllp/results/result-messenger.handler.js';
import { ClinicalRecords, type FiledPhoto } from '../../../../src/standards/hl7v2/records/clinical-records.js';
import { ReceivedOrders, type StoredOrder } from '../../../../src/standards/hl7v2/records/received-orders.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import { Settings } from '../../../../src/platform/config/settings.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { PublicAddress } from '../../../../src/platform/http/public-address.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { FollowUpContext, WOUND } from '../../../support/follow-up-context.js';
import { KeptDocumentsContext } from '../../../support/kept-documents.js';
import { RECEIVED_ORDER, rowsOf } from '../../../support/hl7-result.js';
import { rectangle } from '../../../support/wound-results.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { OutboundGround } from './outbound-ground.js';

/** The records of the other doors, as far as results look at them. */
class KnownRecords extends ClinicalRecords {
  woundOf(): Promise<null> {
    return Promise.resolve(null);
  }

  require(): Promise<void> {
    return Promise.resolve();
  }

  standingOf(): Promise<null> {
    return Promise.resolve(null);
  }

  filedPhotos(): Promise<readonly FiledPhoto[]> {
    return Promise.resolve([]);
  }

  findingsSince(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  photoOfOrder(): Promise<string | null> {
    return Promise.resolve(null);
  }

  waitsForPhoto(): Promise<boolean> {
    return Promise.resolve(true);
  }

  readonly resources = new Map<string, Resource>();

  apply(): never {
    throw new Error('Results change nothing.');
  }

  looking<T>(_tenant: Tenant, work: (lookups: this) => Promise<T>): Promise<T> {
    return work(this);
  }

  findByIdentifier<T extends Resource>(): Promise<T[]> {
    return Promise.resolve([]);
  }

  read<T extends Resource>(_tenant: Tenant, type: ResourceType, id: string): Promise<T | null> {
    return Promise.resolve((this.resources.get(`${type}/${id}`) as T | undefined) ?? null);
  }
}

/** What orders said, by analysis. */
class KnownOrders extends ReceivedOrders {
  /** null: what no key opens. */
  readonly byAnalysis = new Map<string, ReceivedOrder | null>();

  override find(
    _transaction: TenantTransaction,
    { analysisIds }: { readonly analysisIds: readonly string[] },
  ): Promise<StoredOrder | null> {
    const received = this.byAnalysis.get(analysisIds[0]!);
    return Promise.resolve(received === undefined ? null : { sourceId: LISTENER_ID, facility: 'HOSP', received });
  }
}

const LISTENER_ID = v7();
const PHOTO = Buffer.from('the photo as it was sent in');
const NEW_ID = {
  resourceType: 'Patient',
  identifier: [{ system: 'urn:oid:1.2', value: 'MRN-9' }],
  name: [{ family: 'Muster' }],
} as const satisfies Patient;

describe('results on their way into the outbox', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: OutboundGround;
  let followUp: FollowUpContext;
  let records: KnownRecords;
  let receivedOrders: KnownOrders;
  let messenger: ResultMessenger;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url, { PUBLIC_URL: 'https://sutura.example' });
    ground = new OutboundGround(context);
    followUp = new FollowUpContext(context);
    records = new KnownRecords();
    receivedOrders = new KnownOrders(
      new MessageEncryption(context.get(Settings)),
      context.get(IdSource),
      Logger.create('silent'),
    );
    messenger = openMessenger();
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  function openMessenger(): ResultMessenger {
    const [unitOfWork, jobs, reports, wounds, requests, clock, settings] = [
      context.get(UnitOfWork),
      context.get(JobRepository),
      context.get(ReportRepository),
      context.get(WoundRepository),
      context.get(AnalysisRequestRepository),
      context.get(Clock),
      context.get(Settings),
    ];
    // Photos are there as files; outlines cannot be drawn on what is no picture, so that documents are set without them.
    const { archive } = new KeptDocumentsContext(context, followUp.reader, ground.store);
    const photos = {
      get: async (objectKey: string) => {
        await ground.store.put(objectKey, PHOTO);
        return PHOTO;
      },
    } as unknown as ObjectStore;
    const images = context.get(ImageRepository);
    const orders = new OrderReader(requests, receivedOrders, records, jobs);
    const analyses = new AnalysisReader(wounds, jobs, images, orders);
    const stored = new StoredReportReader(followUp.reader, reports, analyses, ground.queue, context.get(ClinicalClock));
    const facts = new ReportFactsReader(unitOfWork, stored, orders, records);
    const files = new ReportFilesReader(archive, photos, ground.files, context.get(PublicAddress));
    const composer = new ReportMessageComposer(files, settings, clock);
    const queue = new ResultQueue(ground.queue, context.get(AuditTrail));
    const authorities = new ListenerAuthorities(context.get(SystemStatements));
    const failed = new FailureFactsReader(unitOfWork, jobs, requests, orders, records, context.get(ClinicalClock));
    const parts = new OrderParts();
    const members = new OrderMembersReader(unitOfWork, facts, failed, parts, authorities);
    const whole = new OrderMessageComposer(files, settings, clock);
    return new ResultMessenger(
      ground.register,
      new ReportMessages(unitOfWork, facts, composer, images, queue, authorities),
      new FailureMessages(unitOfWork, failed, queue, authorities),
      new OrderMessages(unitOfWork, members, whole, parts, queue, images),
      new OrderAnalysesReader(requests, jobs, reports),
      unitOfWork,
    );
  }

  const tell = (kind: DomainEventKind, subjectId: string) => messenger.handle({ id: v7(), kind, tenant, subjectId });
  /** The messages that a destination is to get, oldest first, by segments. */
  async function outbox(destination: Hl7Destination): Promise<string[][]> {
    const messages = await ground.messages(destination);
    return Promise.all(
      messages.map(async ({ id }) => (await ground.queries.show(id)).bytes.toString().split('\r').slice(0, -1)),
    );
  }
  const field = (segments: readonly string[], name: string, position: number) =>
    segments.find((one) => one.startsWith(`${name}|`))!.split('|')[position] ?? '';
  const destinationFor = (wish: Partial<DestinationInput> = {}) =>
    ground.destination(tenant, 2576, { pdf: 'none', ...wish });

  it('are nothing without a destination, nothing for another tenant’s, and nothing of what was before it', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    await tell('report.ready', report.id);
    const other = await context.createTenant();
    const foreign = await ground.destination(other, 2576);
    const late = await destinationFor();
    await tell('report.ready', report.id);
    await tell('report.ready', v7());
    expect([await outbox(foreign), await outbox(late)]).toEqual([[], []]);
    await followUp.review(tenant, report, { decision: 'accept' });
    await tell('report.amended', report.id);
    expect((await outbox(late)).map((segments) => field(segments, 'OBR', 25))).toEqual(['F']);
  });

  it('are one message a version, whatever came in which order and however often', async () => {
    const destination = await destinationFor();
    const report = await followUp.assess(tenant, 0, 9);
    await followUp.review(tenant, report, { decision: 'accept' });
    await Promise.all(
      ['report.amended', 'report.ready', 'report.amended'].map((kind) => tell(kind as DomainEventKind, report.id)),
    );
    expect(
      (await outbox(destination)).map((segments) => [
        field(segments, 'MSH', 9),
        field(segments, 'OBR', 25),
        field(segments, 'ORC', 5),
      ]),
    ).toEqual([
      ['SUT-000000001', 'P', 'IP'],
      ['SUT-000000002', 'F', 'CM'],
    ]);
    const patientId = await patientIdOf(report.jobId);
    const disclosed = await context.get(AuditLog).list(tenant, 10, null);
    expect(
      new Set(
        disclosed.map(({ door, interaction, keyId, patientId: whose, resources }) =>
          JSON.stringify([door, interaction, keyId, whose, resources]),
        ),
      ),
    ).toEqual(
      new Set([JSON.stringify(['hl7v2', '$send', destination.id, patientId, [`DiagnosticReport/${report.id}`]])]),
    );
  });

  it('go to the destinations whose routes take them, and whoever was told of one hears how it goes on [H10]', async () => {
    const [ordered, plain] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 8, { ...WOUND, patientId: 'MRN-9' }),
    ];
    receivedOrders.byAnalysis.set(ordered.jobId, RECEIVED_ORDER);
    records.resources.set(`Patient/${(await patientIdOf(plain.jobId))!}`, { ...NEW_ID });
    const destinations = {
      all: await destinationFor(),
      listener: await destinationFor({ routes: { sources: [LISTENER_ID] } }),
      rest: await destinationFor({ routes: { sources: ['rest'] } }),
      facility: await destinationFor({ routes: { facilities: ['HOSP'] } }),
      elsewhere: await destinationFor({ routes: { facilities: ['CLINIC'] } }),
      authority: await destinationFor({ routes: { authorities: ['urn:oid:1.2'] } }),
      final: await destinationFor({ routes: { statuses: ['final'] } }),
    };
    // What was before a destination is none of its business: both are told of anew by a review.
    const told = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(destinations).map(async ([name, one]) => [
            name,
            (await outbox(one)).map((segments) =>
              [field(segments, 'PID', 3).split('^')[0], field(segments, 'OBR', 25)].join(' '),
            ),
          ]),
        ),
      );
    for (const report of [ordered, plain]) {
      await followUp.review(tenant, report, { decision: 'accept' });
      await tell('report.amended', report.id);
    }
    expect(await told()).toEqual({
      all: ['MRN-778812 F', 'MRN-9 F'],
      listener: ['MRN-778812 F'],
      rest: ['MRN-9 F'],
      facility: ['MRN-778812 F'],
      elsewhere: [],
      authority: ['MRN-9 F'],
      final: ['MRN-778812 F', 'MRN-9 F'],
    });
    await ground.register.change(destinations.listener.id, { settings: { routes: { sources: ['fhir'] } } });
    const report = await followUp.read(tenant, ordered.id);
    await followUp.review(tenant, report, { decision: 'reject' });
    await tell('report.amended', ordered.id);
    expect((await told())['listener']).toEqual(['MRN-778812 F', 'MRN-778812 C']);
  });

  it('say again what the order said, and who the patient is in the words of the doors’ common record where there was none', async () => {
    const destination = await destinationFor({ authorities: { 'urn:oid:1.2': 'HOSP&1.2&ISO' } });
    const [ordered, plain] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 8, { ...WOUND, patientId: 'MRN-9' }),
    ];
    receivedOrders.byAnalysis.set(ordered.jobId, RECEIVED_ORDER);
    records.resources.set(`Patient/${(await patientIdOf(plain.jobId))!}`, { ...NEW_ID });
    await tell('report.ready', ordered.id);
    await tell('report.ready', plain.id);
    const [first, second] = await outbox(destination);
    expect([field(first!, 'PID', 3), field(first!, 'ORC', 2), field(first!, 'PV1', 2)]).toEqual([
      'MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR',
      RECEIVED_ORDER.orc2,
      'I',
    ]);
    expect([field(second!, 'PID', 3), field(second!, 'PID', 5), field(second!, 'ORC', 2)]).toEqual([
      'MRN-9^^^HOSP&1.2&ISO^PI',
      'Muster^^^^^^L',
      '',
    ]);
  });

  it('go out with what the records know of their order where no key opens its words [H14]', async () => {
    const destination = await destinationFor({ grouping: 'photo' });
    const whole = await destinationFor();
    const placed = orderOf('ORD-77', 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR');
    const report = await followUp.assess(tenant, 0, 9);
    const job = (await context.get(JobRepository).read(tenant, report.jobId))!;
    await ground.inTenant(tenant, (transaction) =>
      context.get(AnalysisRequestRepository).insert(transaction, requestOf(job, placed)),
    );
    const failed = await context.createJob(tenant, { subject: WOUND });
    const claimed = await context.get(JobRepository).claim(60, failed.id);
    await context
      .get(JobRepository)
      .fail(claimed!.lease, { code: 'processing.failed', detail: 'The photo could not be analysed.', retryable: true });
    await ground.inTenant(tenant, (transaction) =>
      context.get(AnalysisRequestRepository).insert(transaction, requestOf(failed, placed)),
    );
    for (const id of [report.jobId, failed.id]) receivedOrders.byAnalysis.set(id, null);
    records.resources.set(`Patient/${(await patientIdOf(report.jobId))!}`, { ...NEW_ID });
    await tell('report.ready', report.id);
    await tell('analysis.failed', failed.id);
    expect(
      (await outbox(destination)).map((segments) => [
        field(segments, 'ORC', 2),
        field(segments, 'OBR', 2),
        field(segments, 'PID', 5),
      ]),
    ).toEqual([
      ['ORD-77^EHR', 'ORD-77^EHR', 'Muster^^^^^^L'],
      ['ORD-77^EHR', 'ORD-77^EHR', expect.any(String)],
    ]);
    // Both photos of the order in one message, where its receiver takes that.
    expect(
      (await outbox(whole)).map((segments) =>
        segments.flatMap((one) => (one.startsWith('OBR|') ? [one.split('|')[25]] : [])),
      ),
    ).toEqual([['P', 'X']]);
  });

  it('name the patient who stands now where the order was of one that was joined into another', async () => {
    const destination = await destinationFor();
    const report = await followUp.assess(tenant, 0, 9);
    receivedOrders.byAnalysis.set(report.jobId, RECEIVED_ORDER);
    records.resources.set(`Patient/${(await patientIdOf(report.jobId))!}`, { ...NEW_ID });
    await tell('report.ready', report.id);
    const [message] = await outbox(destination);
    expect([field(message!, 'PID', 3), field(message!, 'ORC', 2)]).toEqual([
      'MRN-9^^^&1.2&ISO^PI',
      RECEIVED_ORDER.orc2,
    ]);
  });

  it('are not sent anew where nothing but the patient’s record was joined into another, unless the destination wishes so', async () => {
    const [quiet, eager] = [await destinationFor(), await destinationFor({ resendOnMerge: true })];
    const report = await followUp.assess(tenant, 0, 9);
    const final = await followUp.review(tenant, report, { decision: 'accept' });
    await tell('report.ready', report.id);
    await followUp.merge(tenant, {
      survivor: [{ system: '', value: 'MRN-NEW' }],
      prior: [{ system: '', value: WOUND.patientId! }],
    });
    expect(messenger.kinds).toContain('report.moved');
    await tell('report.moved', report.id);
    expect([(await outbox(quiet)).length, (await outbox(eager)).length]).toEqual([2, 3]);
    const moved = (await followUp.reader.read(tenant, report.id)).report;
    expect([final.version, moved.version, moved.reason]).toEqual([2, 3, 'moved']);
    await followUp.review(tenant, moved, { decision: 'accept' });
    await tell('report.amended', report.id);
    const last = (await outbox(quiet)).at(-1)!;
    expect([field(last, 'PID', 3), field(last, 'OBR', 25)]).toEqual(['MRN-NEW^^^^PI', 'F']);
  });

  it('take a result back from the wrong patient before the right one gets it, whichever event comes first', async () => {
    const destination = await destinationFor();
    const report = await followUp.assess(tenant, 0, 9);
    receivedOrders.byAnalysis.set(report.jobId, RECEIVED_ORDER);
    await tell('report.ready', report.id);
    const moved = await followUp.review(tenant, report, {
      decision: 'reassign',
      subject: { patientId: 'MRN-2', woundId: 'W9' },
    });
    await tell('report.ready', moved.id);
    await tell('report.amended', report.id);
    const messages = await outbox(destination);
    expect(
      messages.map((segments) => [
        field(segments, 'PID', 3).split('^')[0],
        field(segments, 'ORC', 2),
        field(segments, 'ORC', 3).split('^')[0],
        rowsOf(segments).get('89260-4 1')![11],
      ]),
    ).toEqual([
      ['MRN-778812', RECEIVED_ORDER.orc2, report.jobId, 'P'],
      ['MRN-778812', RECEIVED_ORDER.orc2, report.jobId, 'W'],
      ['MRN-2', '', moved.id, 'P'],
    ]);
  });

  it('correct a final result row by row, and later results that are compared with it', async () => {
    const destination = await destinationFor();
    const [first, second] = [await followUp.assess(tenant, 0, 9), await followUp.assess(tenant, 1, 6)];
    const final = await followUp.review(tenant, first, { decision: 'accept' });
    await followUp.review(tenant, second, { decision: 'accept' });
    await tell('report.ready', first.id);
    await tell('report.ready', second.id);
    await followUp.review(tenant, final, { decision: 'correct', contour: [rectangle(20, 20, 120, 120)] });
    await tell('report.amended', first.id);
    await tell('report.amended', second.id);
    const [corrected, recomputed] = (await outbox(destination)).slice(-2);
    expect(
      [corrected!, recomputed!].map((segments) => [
        field(segments, 'OBR', 25),
        rowsOf(segments).get('89260-4 1')![11],
        rowsOf(segments).get('area-change-since-previous 1')?.[11],
      ]),
    ).toEqual([
      ['C', 'C', undefined],
      ['C', 'F', 'C'],
    ]);
    expect(rowsOf(corrected!).get('89260-4 1')!.slice(16, 19)).toEqual([
      'HCP-0042^Example Reviewer',
      'MANUAL^Outline corrected by a clinician^99SUT',
      '',
    ]);
  });

  it('carry the document, and name it by its address where the message would grow too large', async () => {
    const inside = await destinationFor({ pdf: 'ed', language: 'de' });
    const small = await destinationFor({ pdf: 'ed', photo: 'ed', maxBytes: 70_000 });
    const byAddress = await destinationFor({ pdf: 'rp', photo: 'rp' });
    const both = await destinationFor({ photo: 'ed' });
    const report = await followUp.assess(tenant, 0, 9);
    await tell('report.ready', report.id);
    const read = async (destination: Hl7Destination) => rowsOf((await outbox(destination))[0]!);
    const [type, , , , data] = (await read(inside)).get('wound-report-pdf 1')![5]!.split('^');
    expect([type, Buffer.from(data!, 'base64').toString()]).toEqual([
      'SUTURA',
      expect.stringContaining('of version 1'),
    ]);
    expect((await read(inside)).get('conclusion 1')![5]).toContain('Vorläufig');
    const documentAddress = `https://sutura.example/fhir/Binary/${report.id}-v1^SUTURA^AP^PDF`;
    expect((await read(small)).get('wound-report-pdf 1')!.slice(2, 6)).toEqual([
      'RP',
      'wound-report-pdf^Wound assessment report^99SUT',
      '1',
      documentAddress,
    ]);
    expect((await read(byAddress)).get('wound-report-pdf 1')![5]).toBe(documentAddress);
    expect((await read(byAddress)).get('72170-4 1')![5]).toBe(
      `https://sutura.example/fhir/Binary/${report.imageId}^SUTURA^IM^JPEG`,
    );
    expect((await read(both)).get('72170-4 1')![5]).toBe(`SUTURA^IM^JPEG^Base64^${PHOTO.toString('base64')}`);
    expect((await read(both)).has('wound-report-pdf 1')).toBe(false);
  });

  it('end the wait for an analysis that failed, and the order only where that was cancelled', async () => {
    const destination = await destinationFor();
    const jobs = context.get(JobRepository);
    const failed = await context.createJob(tenant, { subject: WOUND });
    const claimed = await jobs.claim(60, failed.id);
    await jobs.fail(claimed!.lease, {
      code: 'processing.failed',
      detail: 'The photo could not be analysed.',
      retryable: true,
    });
    const cancelled = await context.createJob(tenant, { subject: WOUND });
    await ground.inTenant(tenant, (transaction) =>
      jobs.cancel(transaction, cancelled.id, {
        code: 'job.cancelled',
        detail: 'The analysis was cancelled before it began.',
        retryable: false,
      }),
    );
    const order: ServiceRequest = {
      resourceType: 'ServiceRequest',
      id: v7(),
      status: 'revoked',
      intent: 'order',
      subject: {},
    };
    records.resources.set(`ServiceRequest/${order.id!}`, order);
    await ground.inTenant(tenant, (transaction) =>
      context.get(AnalysisRequestRepository).insert(transaction, requestOf(cancelled, `ServiceRequest/${order.id!}`)),
    );
    for (const { id } of [failed, cancelled, failed]) await tell('analysis.failed', id);
    await tell('analysis.failed', (await context.createJob(tenant, { subject: WOUND })).id);
    const messages = await outbox(destination);
    expect(
      messages.map((segments) => [
        field(segments, 'ORC', 5),
        field(segments, 'OBR', 25),
        ...segments.at(-1)!.split('|').slice(1, 6),
        field(segments, 'OBX', 11),
      ]),
    ).toEqual([
      ['', 'X', '1', 'TX', 'conclusion^Conclusion^99SUT', '1', 'The photo could not be analysed.', 'X'],
      ['CA', 'X', '1', 'TX', 'conclusion^Conclusion^99SUT', '1', 'The analysis was cancelled before it began.', 'X'],
    ]);
    expect(messages.map((segments) => field(segments, 'OBR', 3).split('^')[0])).toEqual([failed.id, cancelled.id]);
  });

  it('tell of a photo that never came', async () => {
    const destination = await destinationFor();
    const request = {
      ...requestOf({ ...(await context.createJob(tenant)), id: v7(), subject: WOUND }, null),
      state: 'rejected' as const,
      error: { code: 'image.unreadable' as const, detail: 'The file is damaged or cut off.', retryable: false },
    };
    receivedOrders.byAnalysis.set(request.id, RECEIVED_ORDER);
    await ground.inTenant(tenant, (transaction) => context.get(AnalysisRequestRepository).insert(transaction, request));
    await tell('analysis.rejected', request.id);
    const [message] = await outbox(destination);
    expect([field(message!, 'PID', 3), field(message!, 'ORC', 2), field(message!, 'OBX', 5)]).toEqual([
      'MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR',
      RECEIVED_ORDER.orc2,
      'The file is damaged or cut off.',
    ]);
  });

  function orderOf(value: string, system: string): string {
    const order: ServiceRequest = {
      resourceType: 'ServiceRequest',
      id: v7(),
      status: 'active',
      intent: 'order',
      subject: {},
      identifier: [{ type: { coding: [{ code: 'PLAC' }] }, system, value }],
    };
    records.resources.set(`ServiceRequest/${order.id!}`, order);
    return `ServiceRequest/${order.id!}`;
  }

  async function patientIdOf(jobId: string): Promise<string | null> {
    return (await context.get(JobRepository).read(tenant, jobId))!.patientId;
  }

  function requestOf({ id, imageId, subject, capturedAt }: AnalysisJob, orderKey: string | null): AnalysisRequest {
    const wish = {
      clinicalContext: null,
      subject,
      capturedAt,
      mmPerPixel: null,
      clinicianObservations: null,
      priority: 'routine',
      metadata: null,
      source: 'hl7v2',
    } as const;
    return {
      ...tenant,
      id,
      orderKey,
      imageId,
      options: wish,
      state: 'started',
      error: null,
      awaitsPatient: false,
      retryAt: new Date(),
      createdAt: new Date(),
    };
  }
});
