import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { OperatorTrail } from '../../core/audit/operator-trail.js';
import { AuditAnchor } from '../../core/audit/audit-anchor.js';
import { AuditSigner } from '../../core/audit/audit-signer.js';
import { AuditArchiveRegistry } from '../../core/audit/audit-archive.js';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { AuditLog } from '../../core/audit/audit-log.js';
import { AuditReader } from '../../core/audit/audit-reader.js';
import { AnalysisRequestRepository } from '../../core/analysis/analysis-request.repository.js';
import { AttachmentRepository } from '../../core/attachments/attachment.repository.js';
import { CalibrationRepository } from '../../core/calibration/calibration.repository.js';
import { IdempotencyLedger } from '../../core/idempotency/idempotency-ledger.js';
import { ImageRepository } from '../../core/images/image.repository.js';
import { JobRepository } from '../../core/analysis/job.repository.js';
import { OrganizationRepository } from '../../core/organizations/organization.repository.js';
import { ApiKeyRepository } from '../../core/organizations/api-key.repository.js';
import { ClientRepository } from '../../core/organizations/client.repository.js';
import { Outbox } from '../../core/domain-events/outbox.js';
import { PatientRepository } from '../../core/patients/patient.repository.js';
import { QuotaLedger } from '../../core/organizations/quota-ledger.js';
import { RemoteImageRepository } from '../../core/remote-images/remote-image.repository.js';
import { ReportDocumentRepository } from '../../core/report/report-document.repository.js';
import { ReportRepository } from '../../core/report/report.repository.js';
import { FigureSamples } from '../../core/figures/figure-samples.js';
import { TraceRecords } from '../../core/trace/trace-records.js';
import { LegalHolds } from '../../core/erasure/legal-holds.js';
import { PatientErasureRepository } from '../../core/erasure/patient-erasure.repository.js';
import { RetentionPolicies } from '../../core/erasure/retention-policy.js';
import { PatientRecords } from '../../core/erasure/patient-records.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../core/followup/wound.repository.js';
import { ProviderLogins } from '../../core/users/provider-logins.js';
import { ResourceOwners } from '../../core/users/resource-owners.js';
import { LoginFailures, SessionRepository } from '../../core/users/session.repository.js';
import { UserRepository } from '../../core/users/user.repository.js';
import { bind } from '../bind.js';
import { Settings } from '../config/settings.js';
import { Logger } from '../logging/logger.js';
import { connectDataSource, dataSourceOptions, type DatabaseRole, poolSizes } from './data-source.js';
import { isDatabaseFault } from './database-fault.js';
import { EncryptionKeys } from '../encryption/encryption-keys.js';
import { DatabaseMetrics } from './database.metrics.js';
import { DatabaseProbe } from './database.probe.js';
import { SecretEncryption } from './secret-encryption.js';
import { encryptionKeysOf, InstallationKey } from './installation-key.js';
import { NotificationListener } from './notification-listener.js';
import { SqlJobSweep } from './repositories/sql-job-sweep.js';
import { SqlAnalysisRequestRepository } from './repositories/sql-analysis-request.repository.js';
import { SqlApiKeyRepository } from './repositories/sql-api-key.repository.js';
import { FileAuditAnchor } from './file-audit-anchor.js';
import { FileAuditSigner } from './file-audit-signer.js';
import { SqlAuditArchiveRegistry } from './repositories/sql-audit-archive.registry.js';
import { SqlAuditLog } from './repositories/sql-audit-log.js';
import { SqlAuditReader } from './repositories/sql-audit-reader.js';
import { SqlAuditTrail } from './repositories/sql-audit-trail.js';
import { SqlAttachmentRepository } from './repositories/sql-attachment.repository.js';
import { SqlCalibrationRepository } from './repositories/sql-calibration.repository.js';
import { SqlIdempotencyLedger } from './repositories/sql-idempotency.ledger.js';
import { SqlImageRepository } from './repositories/sql-image.repository.js';
import { SqlJobRepository } from './repositories/sql-job.repository.js';
import { SqlClientRepository } from './repositories/sql-client.repository.js';
import { SqlOrganizationRepository } from './repositories/sql-organization.repository.js';
import { SqlOutbox } from './repositories/sql-outbox.js';
import { SqlPatientRepository } from './repositories/sql-patient.repository.js';
import { SqlLegalHolds } from './repositories/sql-legal-holds.js';
import { SqlPatientErasureRepository } from './repositories/sql-patient-erasure.repository.js';
import { SqlPatientRecords } from './repositories/sql-patient-records.js';
import { SqlRetentionPolicies } from './repositories/sql-retention-policies.js';
import { SqlQuotaLedger } from './repositories/sql-quota.ledger.js';
import { SqlRemoteImageRepository } from './repositories/sql-remote-image.repository.js';
import { SqlReportDocumentRepository } from './repositories/sql-report-document.repository.js';
import { SqlReportRepository } from './repositories/sql-report.repository.js';
import { SqlFigureSamples } from './repositories/sql-figure-samples.js';
import { SqlTraceRecords } from './repositories/sql-trace-records.js';
import { SqlLoginFailures } from './repositories/sql-login-failures.js';
import { SqlProviderLogins } from './repositories/sql-provider-logins.js';
import { SqlResourceOwners } from './repositories/sql-resource-owners.js';
import { ReviewLinkRepository } from '../../core/report/review-link.js';
import { SqlReviewLinkRepository } from './repositories/sql-review-link.repository.js';
import { SqlSessionRepository } from './repositories/sql-session.repository.js';
import { SqlUserRepository } from './repositories/sql-user.repository.js';
import { SqlWoundRepository } from './repositories/sql-wound.repository.js';
import { ServiceSecrets } from './service-secrets.js';
import { SYSTEM_SOURCE, SystemStatements, TENANT_SOURCE, TenantStatements } from './statements.js';
import { SqlUnitOfWork } from './unit-of-work.js';

const PROVIDERS: Provider[] = [
  TenantStatements,
  SystemStatements,
  ServiceSecrets,
  SqlJobSweep,
  DatabaseMetrics,
  DatabaseProbe,
  { provide: UnitOfWork, useClass: SqlUnitOfWork },
  { provide: ImageRepository, useClass: SqlImageRepository },
  { provide: JobRepository, useClass: SqlJobRepository },
  { provide: QuotaLedger, useClass: SqlQuotaLedger },
  SqlOutbox,
  { provide: Outbox, useExisting: SqlOutbox },
  { provide: PatientRepository, useClass: SqlPatientRepository },
  { provide: OrganizationRepository, useClass: SqlOrganizationRepository },
  { provide: ApiKeyRepository, useClass: SqlApiKeyRepository },
  { provide: ClientRepository, useClass: SqlClientRepository },
  { provide: IdempotencyLedger, useClass: SqlIdempotencyLedger },
  { provide: CalibrationRepository, useClass: SqlCalibrationRepository },
  { provide: WoundRepository, useClass: SqlWoundRepository },
  { provide: ReportRepository, useClass: SqlReportRepository },
  { provide: ReportDocumentRepository, useClass: SqlReportDocumentRepository },
  { provide: AnalysisRequestRepository, useClass: SqlAnalysisRequestRepository },
  { provide: AttachmentRepository, useClass: SqlAttachmentRepository },
  { provide: RemoteImageRepository, useClass: SqlRemoteImageRepository },
  { provide: TraceRecords, useClass: SqlTraceRecords },
  { provide: FigureSamples, useClass: SqlFigureSamples },
  { provide: AuditTrail, useClass: SqlAuditTrail },
  { provide: AuditLog, useClass: SqlAuditLog },
  { provide: AuditArchiveRegistry, useClass: SqlAuditArchiveRegistry },
  { provide: AuditReader, useClass: SqlAuditReader },
  { provide: AuditAnchor, useClass: FileAuditAnchor },
  { provide: PatientRecords, useClass: SqlPatientRecords },
  { provide: PatientErasureRepository, useClass: SqlPatientErasureRepository },
  { provide: LegalHolds, useClass: SqlLegalHolds },
  { provide: AuditSigner, useClass: FileAuditSigner },
  { provide: RetentionPolicies, useClass: SqlRetentionPolicies },
  { provide: EncryptionKeys, inject: [Settings], useFactory: encryptionKeysOf },
  { provide: InstallationKey, inject: [EncryptionKeys, SystemStatements], useFactory: InstallationKey.read },
  SecretEncryption,
  { provide: UserRepository, useClass: SqlUserRepository },
  { provide: ReviewLinkRepository, useClass: SqlReviewLinkRepository },
  { provide: SessionRepository, useClass: SqlSessionRepository },
  { provide: LoginFailures, useClass: SqlLoginFailures },
  { provide: ProviderLogins, useClass: SqlProviderLogins },
  { provide: ResourceOwners, useClass: SqlResourceOwners },
  bind(OperatorTrail, AuditTrail),
];

/** Binds every port of core that PostgreSQL is behind. Global, as core's ports are asked for everywhere. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(NotificationListener) private readonly listener: NotificationListener) {}

  /** `url`: a database that `migrate` has brought up to date. */
  static register(url: string): DynamicModule {
    const listener: Provider = {
      provide: NotificationListener,
      inject: [Logger],
      useFactory: (logger: Logger) => new NotificationListener(url, logger),
    };
    const providers = [...PROVIDERS, listener];
    return {
      module: DatabaseModule,
      imports: [pool(url, TENANT_SOURCE, 'sutura_app'), pool(url, SYSTEM_SOURCE, 'sutura_system')],
      providers,
      exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener.close();
  }
}

function pool(url: string, name: typeof TENANT_SOURCE | typeof SYSTEM_SOURCE, role: DatabaseRole): DynamicModule {
  return TypeOrmModule.forRootAsync({
    name,
    inject: [Settings, Logger],
    useFactory: (settings: Settings, logger: Logger): TypeOrmModuleOptions => ({
      ...dataSourceOptions(url, role, poolSizes(settings)[name], logger),
      name,
      retryAttempts: 20,
      retryDelay: 500,
      toRetry: isDatabaseFault,
    }),
    dataSourceFactory: (options) => connectDataSource(options as DataSourceOptions, role),
  });
}
