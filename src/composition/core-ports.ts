import { AnalysisRequestRepository } from '../core/analysis/analysis-request.repository.js';
import { JobRepository } from '../core/analysis/job.repository.js';
import { TimedOutPhotoRepository } from '../core/analysis/timed-out-photo.repository.js';
import { AttachmentRepository } from '../core/attachments/attachment.repository.js';
import { AuditLog } from '../core/audit/audit-log.js';
import { AuditTrail } from '../core/audit/audit-trail.js';
import { Outbox } from '../core/domain-events/outbox.js';
import { LegalHolds } from '../core/erasure/legal-holds.js';
import { PatientErasureRepository } from '../core/erasure/patient-erasure.repository.js';
import { ClinicalEventRepository } from '../core/followup/clinical-event.repository.js';
import { WoundRelationRepository } from '../core/followup/wound-relation.repository.js';
import { WoundRepository } from '../core/followup/wound.repository.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { ApiKeyRepository } from '../core/organizations/api-key.repository.js';
import { ClientRepository } from '../core/organizations/client.repository.js';
import { NameDirectory } from '../core/organizations/name-directory.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { QuotaLedger } from '../core/organizations/quota-ledger.js';
import { PatientRepository } from '../core/patients/patient.repository.js';
import { ClinicalClock } from '../core/ports/clinical-clock.js';
import { Clock } from '../core/ports/clock.js';
import { Digest } from '../core/ports/digest.js';
import { IdSource } from '../core/ports/id-source.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { RemoteImageRepository } from '../core/remote-images/remote-image.repository.js';
import { ReportDocumentRepository } from '../core/report/report-document.repository.js';
import { ReportRepository } from '../core/report/report.repository.js';
import { ReviewDraftRepository } from '../core/report/review-draft.js';
import { ReviewLinkRepository } from '../core/report/review-link.js';
import { ReviewPresence } from '../core/report/review-presence.js';
import { WorklistRepository } from '../core/report/worklist.repository.js';
import { LoginFailures } from '../core/users/login-failures.js';
import { SessionRepository } from '../core/users/session.repository.js';
import { UserRepository } from '../core/users/user.repository.js';

/**
 * The ports of core that every process has, by the names that core's classes give them: `bind(ReportSeries, CORE_PORTS)`.
 * A class takes those that its constructor states; one that calls another port by such a name says so beside it.
 */
export const CORE_PORTS = {
  attachments: AttachmentRepository,
  audit: AuditLog,
  clients: ClientRepository,
  clinicalClock: ClinicalClock,
  clock: Clock,
  digest: Digest,
  documents: ReportDocumentRepository,
  drafts: ReviewDraftRepository,
  clinicalEvents: ClinicalEventRepository,
  erasures: PatientErasureRepository,
  failures: LoginFailures,
  holds: LegalHolds,
  ids: IdSource,
  images: ImageRepository,
  jobs: JobRepository,
  keys: ApiKeyRepository,
  links: ReviewLinkRepository,
  names: NameDirectory,
  organizations: OrganizationRepository,
  outbox: Outbox,
  presence: ReviewPresence,
  patients: PatientRepository,
  quota: QuotaLedger,
  relations: WoundRelationRepository,
  remote: RemoteImageRepository,
  reports: ReportRepository,
  requests: AnalysisRequestRepository,
  sessions: SessionRepository,
  timedOut: TimedOutPhotoRepository,
  trail: AuditTrail,
  unitOfWork: UnitOfWork,
  users: UserRepository,
  worklist: WorklistRepository,
  wounds: WoundRepository,
} as const;
