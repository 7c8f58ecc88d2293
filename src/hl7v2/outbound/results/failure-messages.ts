import type { Patient, ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { patientIdentifierOf, type JobError, type JobSubject } from '../../../core/analysis/analysis-job.js';
import { AnalysisRequestRepository } from '../../../core/ports/analysis-request.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { JobRepository } from '../../../core/ports/job.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { ReceivedOrder } from '../../records/received-orders.js';
import { ClinicalRecords } from '../../records/clinical-records.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { toFailureMessage, type FailureFacts } from '../oru/failure-message.js';
import { ListenerAuthorities, withAuthorities } from '../destinations/listener-authorities.js';
import type { ResultOrigin } from '../routing/result-origin.js';
import { authoritiesOf, takes } from '../routing/routes.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';
import { Disclosures } from './disclosures.js';
import { ReportFactsReader } from './report-facts.js';

/** An analysis that ended without a result. */
interface Failed {
  readonly error: JobError;
  readonly patientId: string | null;
  readonly identifier: PatientIdentifier | null;
  readonly capturedAt: Date | null;
  readonly failedAt: Date;
  readonly orderKey: string | null;
  readonly received: ReceivedOrder | null;
  readonly sealedOrder: string | null;
  readonly origin: ResultOrigin;
}

const ORDER_PREFIX = 'ServiceRequest/';

/** Tells every destination of an analysis that there will be no result of. */
@Injectable()
export class FailureMessages {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly stories: ReportFactsReader,
    private readonly records: ClinicalRecords,
    private readonly queue: OutboundQueue,
    private readonly disclosures: Disclosures,
    private readonly authorities: ListenerAuthorities,
    private readonly clock: Clock,
  ) {}

  /** A repeat writes nothing. */
  async write(tenant: Tenant, analysisId: string, destinations: readonly Hl7Destination[]): Promise<void> {
    const failed = await this.unitOfWork.inTenant(tenant, (transaction) => this.read(transaction, analysisId));
    if (failed === null) return;
    const facts = await this.factsOf(tenant, analysisId, failed);
    const { receivedPid, record, identifier } = facts.patient;
    const routed = { origin: failed.origin, authorities: authoritiesOf(receivedPid, record, identifier) };
    // A failure is the last word, as a final result is.
    const addressed = destinations.filter(
      ({ settings: { routes } }) =>
        takes(routes, routed) && (routes.statuses.length === 0 || routes.statuses.includes('final')),
    );
    const known = await this.authorities.ofTenant(tenant);
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      for (const destination of [...addressed].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const build =
          failed.failedAt < destination.createdAt
            ? null
            : toFailureMessage(facts, withAuthorities(destination.settings, known));
        if (build === null) continue;
        const message = {
          kind: 'result' as const,
          subjectId: analysisId,
          version: 1,
          lane: failed.patientId ?? analysisId,
          preliminary: false,
          imageIds: [],
          build,
        };
        const count = await this.queue.enqueue(transaction, destination, [message]);
        if (count > 0)
          await this.disclosures.record(transaction, destination, {
            patientId: failed.patientId,
            resource: `Task/${analysisId}`,
          });
      }
    });
  }

  private async read(transaction: TenantTransaction, analysisId: string): Promise<Failed | null> {
    const job = await this.jobs.find(transaction, analysisId);
    const request = await this.requests.find(transaction, analysisId);
    const error = job === null ? request?.error : job.error;
    if (error === null || error === undefined) return null;
    const subject: JobSubject | null = (job === null ? request?.wish.subject : job.subject) ?? null;
    return {
      error,
      patientId: job?.patientId ?? null,
      identifier: patientIdentifierOf(subject),
      capturedAt: job === null ? (request?.wish.capturedAt ?? null) : job.capturedAt,
      failedAt: job?.completedAt ?? this.clock.now(),
      orderKey: request?.orderKey ?? null,
      ...(await this.stories.orderOf(transaction, analysisId)),
    };
  }

  private async factsOf(
    tenant: Tenant,
    analysisId: string,
    { error, patientId, identifier, capturedAt, failedAt, orderKey, received: kept, sealedOrder }: Failed,
  ): Promise<FailureFacts> {
    const received = kept ?? (await this.stories.plainOrder(tenant, sealedOrder));
    const record = received !== null && received.pid !== '' ? null : await this.recordOf(tenant, patientId, identifier);
    return {
      environment: tenant.environment,
      analysisId,
      patient: { receivedPid: received?.pid ?? '', record, identifier },
      received,
      capturedAt,
      failedAt,
      reason: error.detail,
      orderCancelled: error.code === 'job.cancelled' && (await this.isCancelled(tenant, orderKey)),
      sentAt: this.clock.now(),
    };
  }

  private async recordOf(
    tenant: Tenant,
    patientId: string | null,
    identifier: PatientIdentifier | null,
  ): Promise<Patient | null> {
    if (patientId !== null) return this.records.read<Patient>(tenant, 'Patient', patientId);
    if (identifier === null) return null;
    return (await this.records.findByIdentifier<Patient>(tenant, 'Patient', [identifier]))[0] ?? null;
  }

  /** An analysis may be cancelled while its order stands. */
  private async isCancelled(tenant: Tenant, orderKey: string | null): Promise<boolean> {
    if (orderKey?.startsWith(ORDER_PREFIX) !== true) return false;
    const order = await this.records.read<ServiceRequest>(
      tenant,
      'ServiceRequest',
      orderKey.slice(ORDER_PREFIX.length),
    );
    return order?.status === 'revoked';
  }
}
