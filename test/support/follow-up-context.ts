import { v7 } from 'uuid';
import type { AnalysisJob, JobSubject } from '../../src/core/analysis/analysis-job.js';
import type { ClinicianObservations } from '../../src/core/analysis/clinician-observations.js';
import { patientIdentifierOf } from '../../src/core/analysis/analysis-job.js';
import type { DeliveredEvent } from '../../src/core/domain-events/domain-event.js';
import { JobCompletion } from '../../src/core/report/job-completion.js';
import { FollowUpSummariser } from '../../src/core/report/follow-up-summariser.js';
import { ClinicalEventService } from '../../src/core/wounds/clinical-event.service.js';
import { WoundRelationService } from '../../src/core/wounds/wound-relation.service.js';
import { WoundService } from '../../src/core/wounds/wound.service.js';
import { ClinicalClock } from '../../src/core/ports/clinical-clock.js';
import { Clock } from '../../src/core/ports/clock.js';
import { IdSource } from '../../src/core/ports/id-source.js';
import { ImageRepository } from '../../src/core/images/image.repository.js';
import { JobRepository } from '../../src/core/analysis/job.repository.js';
import { OrganizationRepository } from '../../src/core/organizations/organization.repository.js';
import { Outbox } from '../../src/core/domain-events/outbox.js';
import { PatientRepository } from '../../src/core/patients/patient.repository.js';
import { ReportRepository } from '../../src/core/report/report.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../src/core/ports/unit-of-work.js';
import { ClinicalEventRepository } from '../../src/core/followup/clinical-event.repository.js';
import { WoundRelationRepository } from '../../src/core/followup/wound-relation.repository.js';
import { WoundRepository } from '../../src/core/followup/wound.repository.js';
import type { ClinicalReport } from '../../src/core/report/clinical-report.js';
import { PatientMergeService, type PatientJoin } from '../../src/core/wounds/patient-merge.service.js';
import { ReportAssembly } from '../../src/core/report/report-assembly.js';
import { ReportReader } from '../../src/core/report/report-reader.js';
import { ReportReviewing } from '../../src/core/report/report-reviewing.js';
import { ReportSeries } from '../../src/core/report/report-series.js';
import { RelatedWounds } from '../../src/core/report/related-wounds.js';
import { SharedPhotos } from '../../src/core/report/shared-photos.js';
import type { ReviewRequest } from '../../src/core/report/review.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import { DatabaseContext } from './database-context.js';
import { StoredBirthDates } from '../../src/standards/fhir/store/stored-birth-dates.js';
import { storedHeadings } from './stored-headings.js';
import { drawResult, squareOf, type DrawnResult } from './wound-results.js';
import { takeEvents } from './outbox-events.js';

const WEEK_MS = 7 * 86_400_000;
const FIRST_WEEK = Date.UTC(2025, 0, 6, 9);
export const REVIEWER = { id: 'HCP-0042', name: 'Example Reviewer' };
/** What comes with a photo: the bytes or pixels that it has in common with others. */
export interface PhotoContent {
  readonly sha256?: string;
  readonly pixelSha256?: string;
  /** What a clinician stated beside it. */
  readonly observations?: ClinicianObservations;
}

export const WOUND: JobSubject = { patientId: 'MRN-4711', woundId: 'W1' };

/** The moment of a week's photo. */
export function weekDate(week: number): Date {
  return new Date(FIRST_WEEK + week * WEEK_MS);
}

/** Core's follow-up over a test database; jobs are completed with drawn results, without a worker. */
export class FollowUpContext {
  readonly assembly: ReportAssembly;
  readonly reviewing: ReportReviewing;
  readonly reader: ReportReader;
  readonly wounds: WoundService;
  readonly clinicalEvents: ClinicalEventService;
  readonly relations: WoundRelationService;
  private readonly relating: RelatedWounds;
  readonly merging: PatientMergeService;
  readonly summariser: FollowUpSummariser;
  readonly completion: JobCompletion;
  readonly sharing: SharedPhotos;
  private readonly unitOfWork: UnitOfWork;

  constructor(private readonly database: DatabaseContext) {
    const ports = {
      unitOfWork: database.get(UnitOfWork),
      jobs: database.get(JobRepository),
      images: database.get(ImageRepository),
      wounds: database.get(WoundRepository),
      clinicalEvents: database.get(ClinicalEventRepository),
      relations: database.get(WoundRelationRepository),
      reports: database.get(ReportRepository),
      patients: database.get(PatientRepository),
      organizations: database.get(OrganizationRepository),
      headings: storedHeadings(database.get(OrganizationRepository)),
      birthDates: new StoredBirthDates(),
      outbox: database.get(Outbox),
      clinicalClock: database.get(ClinicalClock),
      clock: database.get(Clock),
      ids: database.get(IdSource),
    };
    const series = new ReportSeries(ports);
    this.unitOfWork = ports.unitOfWork;
    this.assembly = new ReportAssembly(ports, series);
    this.reviewing = new ReportReviewing(ports, series, this.assembly);
    this.reader = new ReportReader(ports, this.assembly);
    this.wounds = new WoundService(ports, series);
    this.relations = new WoundRelationService(ports, series);
    this.relating = new RelatedWounds(ports, series);
    this.clinicalEvents = new ClinicalEventService(ports, series);
    this.merging = new PatientMergeService(ports, series);
    this.summariser = new FollowUpSummariser(ports);
    this.sharing = new SharedPhotos(ports, series);
    this.completion = new JobCompletion(ports, this.assembly, this.summariser);
  }

  /** A job completed with a square wound of so many cm², without its report. */
  async completeJob(
    tenant: Tenant,
    week: number,
    areaCm2: number,
    subject: JobSubject | null = WOUND,
    drawn: DrawnResult = {},
    { sha256, pixelSha256, observations }: PhotoContent = {},
  ): Promise<AnalysisJob> {
    const identifier = patientIdentifierOf(subject);
    const patients = this.database.get(PatientRepository);
    const patientId =
      identifier === null
        ? null
        : await this.unitOfWork.inTenant(tenant, (transaction) => patients.resolve(transaction, identifier, v7()));
    const image = await this.database.createImage(
      tenant,
      ...(sha256 === undefined ? [] : [{ sizeBytes: 1000, sha256 }]),
    );
    const job = await this.database.createJob(tenant, {
      imageId: image.id,
      subject,
      patientId,
      capturedAt: weekDate(week),
      ...(observations === undefined ? {} : { clinicianObservations: observations }),
    });
    const jobs = this.database.get(JobRepository);
    const claimed = await jobs.claim(60, job.id);
    if (claimed === null) throw new Error('The job could not be claimed.');
    const result = drawResult({ ...squareOf(areaCm2), region: subject?.region, ...drawn });
    const trace = pixelSha256 === undefined ? result.trace : { ...result.trace, pixelSha256 };
    await jobs.complete(claimed.lease, { ...result, trace });
    return job;
  }

  /** As completeJob, with its report. */
  async assess(
    tenant: Tenant,
    week: number,
    areaCm2: number,
    subject: JobSubject | null = WOUND,
    drawn: DrawnResult = {},
    photo: PhotoContent = {},
  ): Promise<ClinicalReport> {
    const job = await this.completeJob(tenant, week, areaCm2, subject, drawn, photo);
    await this.assembly.assemble(tenant, job.id);
    return this.read(tenant, job.reportId);
  }

  async read(tenant: Tenant, reportId: string): Promise<ClinicalReport> {
    return (await this.reader.read(tenant, reportId)).report;
  }

  review(
    tenant: Tenant,
    { id, version }: Pick<ClinicalReport, 'id' | 'version'>,
    request: Omit<ReviewRequest, 'reviewer'> & Partial<Pick<ReviewRequest, 'reviewer'>>,
  ): Promise<ClinicalReport> {
    return this.within(tenant, (transaction) =>
      this.reviewing.review(transaction, id, version, { reviewer: REVIEWER, ...request }),
    );
  }

  /** Whether the records could be joined. */
  merge(tenant: Tenant, join: PatientJoin): Promise<boolean> {
    return this.within(tenant, async (transaction) => {
      const rows = await this.merging.resolve(transaction, join);
      if (rows !== null) await this.merging.join(transaction, rows);
      return rows !== null;
    });
  }

  within<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.inTenant(tenant, work);
  }

  /** Tells the reports of photos that were filed again of each other, until nothing is left to tell. */
  async settleSharedPhotos(tenant: Tenant): Promise<void> {
    const shared = await this.sharedPhotos(tenant);
    if (shared.length === 0) return;
    for (const imageId of shared) await this.sharing.settle(tenant, imageId);
    await this.settleSharedPhotos(tenant);
  }

  /** Has wounds compared anew of which a related one changed, until nothing is left to tell. */
  async settleRelatedWounds(tenant: Tenant): Promise<void> {
    const events = await takeEvents(this.database.get(Outbox));
    const related = events.filter((event) => event.tenant.organizationId === tenant.organizationId);
    const wounds = new Set(related.filter(({ kind }) => kind === 'wound.related').map(({ subjectId }) => subjectId));
    if (wounds.size === 0) return;
    for (const woundId of wounds) await this.relating.settle(tenant, woundId);
    await this.settleRelatedWounds(tenant);
  }

  private async sharedPhotos(tenant: Tenant): Promise<string[]> {
    return (await takeEvents(this.database.get(Outbox)))
      .filter((event) => event.tenant.organizationId === tenant.organizationId && event.kind === 'photo.shared')
      .map(({ subjectId }) => subjectId);
  }

  /** Takes what the outbox holds for this tenant's reports, and removes it. */
  async takeReportEvents(tenant: Tenant): Promise<Pick<DeliveredEvent, 'kind' | 'subjectId'>[]> {
    return (await takeEvents(this.database.get(Outbox)))
      .filter((event) => event.tenant.organizationId === tenant.organizationId && event.kind.startsWith('report.'))
      .map(({ kind, subjectId }) => ({ kind, subjectId }));
  }
}
