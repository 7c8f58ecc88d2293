import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { OperatorTrail } from '../core/audit/operator-trail.js';
import { AuditAnchor } from '../core/audit/audit-anchor.js';
import { AuditSigner } from '../core/audit/audit-signer.js';
import { AuditArchiveRegistry } from '../core/audit/audit-archive.js';
import { AuditTrail } from '../core/audit/audit-trail.js';
import { AuditLog } from '../core/audit/audit-log.js';
import { AuditReader } from '../core/audit/audit-reader.js';
import { AnalysisRequestRepository } from '../core/analysis/analysis-request.repository.js';
import { TimedOutPhotoRepository } from '../core/analysis/timed-out-photo.repository.js';
import { AttachmentRepository } from '../core/attachments/attachment.repository.js';
import { CalibrationRepository } from '../core/calibration/calibration.repository.js';
import { IdempotencyLedger } from '../core/idempotency/idempotency-ledger.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { JobRepository } from '../core/analysis/job.repository.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { NameDirectory } from '../core/organizations/name-directory.js';
import { SandboxClocks } from '../core/organizations/sandbox-clock.js';
import { ClinicalClock } from '../core/ports/clinical-clock.js';
import { ApiKeyRepository } from '../core/organizations/api-key.repository.js';
import { ClientRepository } from '../core/organizations/client.repository.js';
import { EhrRegister } from '../core/ehrs/ehr.register.js';
import { EhrTokenLedger } from '../core/ehrs/ehr-token.ledger.js';
import { PublishedKeyStore } from '../core/ehrs/published-key.store.js';
import { LaunchStates } from '../core/launch/launch-states.js';
import { EventLog } from '../core/deliveries/event-log.js';
import { Outbox } from '../core/domain-events/outbox.js';
import { AuthorityRepository } from '../core/patients/authority.repository.js';
import { AuthorityDirectory } from '../core/patients/authority-table.js';
import { PatientRepository } from '../core/patients/patient.repository.js';
import { QuotaLedger } from '../core/organizations/quota-ledger.js';
import { RemoteImageRepository } from '../core/remote-images/remote-image.repository.js';
import { ReportDocumentRepository } from '../core/report/report-document.repository.js';
import { ReportRepository } from '../core/report/report.repository.js';
import { WithdrawnReports } from '../core/report/withdrawn-reports.js';
import { ReportLookUp } from '../core/report/report-look-up.js';
import { WorklistRepository } from '../core/report/worklist.repository.js';
import { FigureSamples } from '../core/figures/figure-samples.js';
import { TraceRecords } from '../core/trace/trace-records.js';
import { UnclearWoundRepository } from '../core/held/unclear-wound.repository.js';
import { AwaitedNumbers } from '../core/held/awaited-numbers.js';
import { HeldItems } from '../core/held/held-items.js';
import { LegalHolds } from '../core/erasure/legal-holds.js';
import { PatientErasureRepository } from '../core/erasure/patient-erasure.repository.js';
import { RetentionPolicies } from '../core/erasure/retention-policy.js';
import { PatientRecords } from '../core/erasure/patient-records.js';
import { ClinicalEventRepository } from '../core/followup/clinical-event.repository.js';
import { WoundRelationRepository } from '../core/followup/wound-relation.repository.js';
import { WoundRepository } from '../core/followup/wound.repository.js';
import { ProviderLogins } from '../core/users/provider-logins.js';
import { ProviderSessions } from '../core/users/provider-sessions.js';
import { ResourceOwners } from '../core/users/resource-owners.js';
import { LoginDevices } from '../core/users/login-devices.js';
import { LoginFailures } from '../core/users/login-failures.js';
import { SessionRepository } from '../core/users/session.repository.js';
import { UserRepository } from '../core/users/user.repository.js';
import { ReviewDraftRepository } from '../core/report/review-draft.js';
import { ReviewLinkRepository } from '../core/report/review-link.js';
import { ReviewPresence } from '../core/report/review-presence.js';
import { bind } from '../platform/bind.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { SqlJobSweep } from './analysis/sql-job-sweep.js';
import { SqlAnalysisRequestRepository } from './analysis/sql-analysis-request.repository.js';
import { SqlApiKeyRepository } from './organizations/sql-api-key.repository.js';
import { FileAuditAnchor } from './audit/file-audit-anchor.js';
import { FileAuditSigner } from './audit/file-audit-signer.js';
import { SqlAuditArchiveRegistry } from './audit/sql-audit-archive.registry.js';
import { SqlAuditLog } from './audit/sql-audit-log.js';
import { SqlAuditReader } from './audit/sql-audit-reader.js';
import { SqlAuditTrail } from './audit/sql-audit-trail.js';
import { SqlAuditWitness } from './audit/sql-audit-witness.js';
import { AuditWitness } from '../core/audit/audit-witness.js';
import { SqlTimedOutPhotoRepository } from './analysis/sql-timed-out-photo.repository.js';
import { SqlAttachmentRepository } from './analysis/sql-attachment.repository.js';
import { SqlCalibrationRepository } from './analysis/sql-calibration.repository.js';
import { SqlEhrRegister } from './ehrs/sql-ehr.register.js';
import { SqlEhrTokenLedger } from './ehrs/sql-ehr-token.ledger.js';
import { SqlPublishedKeyStore } from './ehrs/sql-published-key.store.js';
import { SqlLaunchStates } from './ehrs/sql-launch-states.js';
import { SqlEventLog } from './events/sql-event-log.js';
import { SqlIdempotencyLedger } from './events/sql-idempotency.ledger.js';
import { SqlImageRepository } from './analysis/sql-image.repository.js';
import { SqlJobRepository } from './analysis/sql-job.repository.js';
import { SqlClientRepository } from './organizations/sql-client.repository.js';
import { SqlNameDirectory } from './organizations/sql-name.directory.js';
import { SqlClinicalClock, SqlSandboxClocks } from './organizations/sql-clinical-clock.js';
import { SqlOrganizationRepository } from './organizations/sql-organization.repository.js';
import { SqlOutbox } from './events/sql-outbox.js';
import { CachedAuthorityDirectory } from './patients/cached-authority-directory.js';
import { SqlAuthorityRepository } from './patients/sql-authority.repository.js';
import { SqlPatientRepository } from './patients/sql-patient.repository.js';
import { SqlAwaitedNumbers } from './held/sql-awaited-numbers.js';
import { SqlUnclearWoundRepository } from './held/sql-unclear-wound.repository.js';
import { SqlHeldItems } from './held/sql-held-items.js';
import { SqlLegalHolds } from './patients/sql-legal-holds.js';
import { SqlPatientErasureRepository } from './patients/sql-patient-erasure.repository.js';
import { SqlPatientRecords } from './patients/sql-patient-records.js';
import { SqlRetentionPolicies } from './patients/sql-retention-policies.js';
import { QuotaMetrics } from './organizations/quota.metrics.js';
import { SqlQuotaLedger } from './organizations/sql-quota.ledger.js';
import { SqlRemoteImageRepository } from './analysis/sql-remote-image.repository.js';
import { SqlReportDocumentRepository } from './reports/sql-report-document.repository.js';
import { SqlReportRepository } from './reports/sql-report.repository.js';
import { SqlWithdrawnReports } from './reports/sql-withdrawn-reports.js';
import { SqlReportLookUp } from './reports/sql-report-look-up.js';
import { SqlWorklistRepository } from './reports/sql-worklist.repository.js';
import { SqlFigureSamples } from './trace/sql-figure-samples.js';
import { SqlTraceRecords } from './trace/sql-trace-records.js';
import { SqlLoginDevices } from './users/sql-login-devices.js';
import { SqlLoginFailures } from './users/sql-login-failures.js';
import { SqlProviderLogins } from './users/sql-provider-logins.js';
import { SqlResourceOwners } from './users/sql-resource-owners.js';
import { SqlReviewDraftRepository } from './reports/sql-review-draft.repository.js';
import { SqlReviewLinkRepository } from './reports/sql-review-link.repository.js';
import { SqlReviewPresence } from './reports/sql-review-presence.js';
import { SqlProviderSessions, SqlSessionRepository } from './users/sql-session.repository.js';
import { SqlUserRepository } from './users/sql-user.repository.js';
import { SqlClinicalEventRepository } from './reports/sql-clinical-event.repository.js';
import { SqlWoundRelationRepository } from './reports/sql-wound-relation.repository.js';
import { SqlWoundRepository } from './reports/sql-wound.repository.js';

const PROVIDERS: Provider[] = [
  SqlJobSweep,
  { provide: ImageRepository, useClass: SqlImageRepository },
  { provide: JobRepository, useClass: SqlJobRepository },
  { provide: QuotaLedger, useClass: SqlQuotaLedger },
  QuotaMetrics,
  SqlOutbox,
  { provide: Outbox, useExisting: SqlOutbox },
  { provide: EhrRegister, useClass: SqlEhrRegister },
  { provide: EhrTokenLedger, useClass: SqlEhrTokenLedger },
  { provide: PublishedKeyStore, useClass: SqlPublishedKeyStore },
  { provide: LaunchStates, useClass: SqlLaunchStates },
  { provide: EventLog, useClass: SqlEventLog },
  { provide: PatientRepository, useClass: SqlPatientRepository },
  { provide: AuthorityRepository, useClass: SqlAuthorityRepository },
  { provide: AuthorityDirectory, useClass: CachedAuthorityDirectory },
  { provide: OrganizationRepository, useClass: SqlOrganizationRepository },
  { provide: NameDirectory, useClass: SqlNameDirectory },
  { provide: ClinicalClock, useClass: SqlClinicalClock },
  { provide: SandboxClocks, useClass: SqlSandboxClocks },
  { provide: ApiKeyRepository, useClass: SqlApiKeyRepository },
  { provide: ClientRepository, useClass: SqlClientRepository },
  { provide: IdempotencyLedger, useClass: SqlIdempotencyLedger },
  { provide: CalibrationRepository, useClass: SqlCalibrationRepository },
  { provide: WoundRepository, useClass: SqlWoundRepository },
  { provide: WoundRelationRepository, useClass: SqlWoundRelationRepository },
  { provide: ClinicalEventRepository, useClass: SqlClinicalEventRepository },
  { provide: ReportRepository, useClass: SqlReportRepository },
  { provide: WithdrawnReports, useClass: SqlWithdrawnReports },
  { provide: WorklistRepository, useClass: SqlWorklistRepository },
  { provide: ReportLookUp, useClass: SqlReportLookUp },
  { provide: ReportDocumentRepository, useClass: SqlReportDocumentRepository },
  { provide: AnalysisRequestRepository, useClass: SqlAnalysisRequestRepository },
  { provide: TimedOutPhotoRepository, useClass: SqlTimedOutPhotoRepository },
  { provide: AttachmentRepository, useClass: SqlAttachmentRepository },
  { provide: RemoteImageRepository, useClass: SqlRemoteImageRepository },
  { provide: TraceRecords, useClass: SqlTraceRecords },
  { provide: FigureSamples, useClass: SqlFigureSamples },
  SqlAuditWitness,
  { provide: AuditWitness, useExisting: SqlAuditWitness },
  { provide: AuditTrail, useClass: SqlAuditTrail },
  { provide: AuditLog, useClass: SqlAuditLog },
  { provide: AuditArchiveRegistry, useClass: SqlAuditArchiveRegistry },
  { provide: AuditReader, useClass: SqlAuditReader },
  { provide: AuditAnchor, useClass: FileAuditAnchor },
  { provide: PatientRecords, useClass: SqlPatientRecords },
  { provide: PatientErasureRepository, useClass: SqlPatientErasureRepository },
  { provide: HeldItems, useClass: SqlHeldItems },
  { provide: AwaitedNumbers, useClass: SqlAwaitedNumbers },
  { provide: UnclearWoundRepository, useClass: SqlUnclearWoundRepository },
  { provide: LegalHolds, useClass: SqlLegalHolds },
  { provide: AuditSigner, useClass: FileAuditSigner },
  { provide: RetentionPolicies, useClass: SqlRetentionPolicies },
  { provide: UserRepository, useClass: SqlUserRepository },
  { provide: ReviewDraftRepository, useClass: SqlReviewDraftRepository },
  { provide: ReviewLinkRepository, useClass: SqlReviewLinkRepository },
  { provide: ReviewPresence, useClass: SqlReviewPresence },
  { provide: SessionRepository, useClass: SqlSessionRepository },
  { provide: ProviderSessions, useClass: SqlProviderSessions },
  { provide: LoginFailures, useClass: SqlLoginFailures },
  { provide: LoginDevices, useClass: SqlLoginDevices },
  { provide: ProviderLogins, useClass: SqlProviderLogins },
  { provide: ResourceOwners, useClass: SqlResourceOwners },
  bind(OperatorTrail, AuditTrail),
];

/** Binds the ports of core that PostgreSQL is behind. Global, as core's ports are asked for everywhere. */
@Global()
@Module({})
export class RecordsModule {
  /** `url`: a database that `migrate` has brought up to date. */
  static register(url: string): DynamicModule {
    return {
      module: RecordsModule,
      imports: [DatabaseModule.register(url)],
      providers: PROVIDERS,
      exports: PROVIDERS.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}
