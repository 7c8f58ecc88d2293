import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { patientIdentifierOf, type JobError, type JobSubject } from '../../../core/analysis/analysis-job.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ClinicalRecords } from '../../../standards/hl7v2/records/clinical-records.js';
import type { FailureFacts } from '../oru/failure-message.js';
import type { ResultOrigin } from '../settings/hl7-destination.js';
import { OrderReader, type AnalysisOrder } from './order-reader.js';

/** An analysis that ended without a result. */
interface FailedAnalysis extends AnalysisOrder {
  readonly error: JobError;
  readonly patientId: string | null;
  readonly identifier: PatientIdentifier | null;
  readonly capturedAt: Date | null;
  readonly capturedAsStated: string | null;
  readonly failedAt: Date;
  readonly orderKey: string | null;
}

/** The facts that the messages about one failure are made from, and those that choose its destinations. */
export interface ReadFailure {
  readonly facts: FailureFacts;
  readonly origin: ResultOrigin;
  readonly patientId: string | null;
}

/** Reads an analysis that ended without a result. */
@Injectable()
export class FailureFactsReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly orders: OrderReader,
    private readonly records: ClinicalRecords,
    private readonly clock: ClinicalClock,
  ) {}

  /** null: the analysis did not fail. */
  async read(tenant: Tenant, analysisId: string): Promise<ReadFailure | null> {
    const failed = await this.unitOfWork.inTenant(tenant, (transaction) => this.find(transaction, analysisId));
    if (failed === null) return null;
    const { error, patientId, identifier, capturedAt, capturedAsStated, failedAt, orderKey, recordedOrder, origin } =
      failed;
    const received = failed.received ?? (await this.orders.fromRecords(tenant, recordedOrder));
    const record = received !== null && received.pid !== '' ? null : await this.recordOf(tenant, patientId, identifier);
    const facts = {
      environment: tenant.environment,
      analysisId,
      patient: { receivedPid: received?.pid ?? '', record, identifier },
      received,
      capturedAt,
      capturedAsStated,
      failedAt,
      reason: error.detail,
      // An analysis may be cancelled while its order stands.
      orderCancelled: error.code === 'job.cancelled' && (await this.orders.isRevoked(tenant, orderKey)),
      sentAt: this.clock.realNow(),
    };
    return { facts, origin, patientId };
  }

  private async find(transaction: TenantTransaction, analysisId: string): Promise<FailedAnalysis | null> {
    const job = await this.jobs.find(transaction, analysisId);
    const request = await this.requests.find(transaction, analysisId);
    const timeline = await this.clock.timeline(transaction);
    const error = job === null ? request?.error : job.error;
    if (error === null || error === undefined) return null;
    const subject: JobSubject | null = (job === null ? request?.options.subject : job.subject) ?? null;
    return {
      error,
      patientId: job?.patientId ?? null,
      identifier: patientIdentifierOf(subject),
      capturedAt: job === null ? (request?.options.capturedAt ?? null) : job.capturedAt,
      capturedAsStated: (job ?? request?.options)?.capturedAsStated ?? null,
      failedAt: timeline.at(job?.completedAt ?? this.clock.realNow()),
      orderKey: request?.orderKey ?? null,
      ...(await this.orders.orderOf(transaction, analysisId)),
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
}
