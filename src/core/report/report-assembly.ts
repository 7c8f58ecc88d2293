import { patientIdentifierOf, statedTimeOf, type AnalysisJob, type JobSubject } from '../analysis/analysis-job.js';
import { findingsOf, type AssessmentFindings } from '../followup/assessment.js';
import { usesBeside, type OtherUse, type PhotoFiling } from '../followup/same-photo.js';
import { NOTHING_COMPARED } from '../followup/series.js';
import { describeWound, woundKeyOf, type Wound } from '../followup/wound.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { ResultPolicy } from '../organizations/organization.js';
import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { ReportRepository } from './report.repository.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { ClinicalReport, PhotoErasure, ReportContent, ReviewStamp } from './clinical-report.js';
import type { ReportSeries } from './report-series.js';
import { initialStatus } from './report-status.js';
import { isSameJson } from './same-content.js';

export interface ReportAssemblyPorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: JobRepository;
  readonly wounds: WoundRepository;
  readonly reports: ReportRepository;
  readonly organizations: OrganizationRepository;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface AssemblyRules {
  /** In the test environment, for demonstrations and training: the same photo may stand for several visits, wounds and patients, and nothing waits for it. */
  readonly allowReusedPhotos: boolean;
}

/** Never for the patients of the live environment. */
export function mayReusePhotos({ allowReusedPhotos }: AssemblyRules, { environment }: Tenant): boolean {
  return allowReusedPhotos && environment === 'test';
}

/** The job has its report already, perhaps from another caller at this moment: the transaction rolls back, with the wound that it opened. */
class FiledMeanwhile extends Error {}

/** A job whose analysis is done, whether that is written yet or not. */
type AnalysedJob = AnalysisJob & { readonly result: WoundResult };

interface OpenedWound {
  readonly opened: Wound;
  readonly root: Wound;
  /** Made by this very transaction, so that it has no other report. */
  readonly isNew: boolean;
}

/** The parts of a first version, after a completed job or a reassignment. */
export interface NewReport {
  readonly id: string;
  readonly job: AnalysisJob;
  readonly subject: JobSubject | null;
  readonly patientId: string | null;
  readonly findings: AssessmentFindings;
  /** As people left it in the report that this one replaces; absent: as the job brought it. */
  readonly stated?: Pick<ReportContent, 'clinicianObservations'>;
  readonly replaces: string | null;
  /** Absent: the organization's present one. */
  readonly resultPolicy?: ResultPolicy;
  readonly review: ReviewStamp | null;
  /** Of its own photo; absent: none. */
  readonly erasedPhotos?: readonly PhotoErasure[];
}

/** Turns completed jobs into reports, each in the series of its wound. */
export class ReportAssembly {
  constructor(
    private readonly ports: ReportAssemblyPorts,
    private readonly series: ReportSeries,
    private readonly rules: AssemblyRules = { allowReusedPhotos: false },
  ) {}

  /** Makes the report of a completed job, once: a job that has one, or is not completed, is left as it is. */
  async assemble(tenant: Tenant, jobId: string): Promise<void> {
    try {
      await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
        const job = await this.ports.jobs.find(transaction, jobId);
        if (job?.result === null || job?.result === undefined) return;
        await this.fileFirst(transaction, { ...job, result: job.result });
      });
    } catch (error) {
      if (!(error instanceof FiledMeanwhile)) throw error;
    }
  }

  /** Files the report of an analysis, under `resultPolicy` where that was read already. The transaction rolls back where the job has its report already. */
  async fileFirst(
    transaction: TenantTransaction,
    job: AnalysedJob,
    resultPolicy?: ResultPolicy,
  ): Promise<ClinicalReport> {
    const { reportId: id, subject, patientId } = job;
    const filed = await this.file(transaction, {
      id,
      job,
      subject,
      patientId,
      findings: findingsOf(job.result),
      replaces: null,
      review: null,
      ...(resultPolicy === undefined ? {} : { resultPolicy }),
    });
    if (filed === null) throw new FiledMeanwhile();
    return filed;
  }

  /** Files a new report under the wound that its subject names. null: the job had its report already. */
  async file(transaction: TenantTransaction, fresh: NewReport): Promise<ClinicalReport | null> {
    const tenant = tenantOf(fresh.job);
    const [{ opened, root, isNew }, policy] = await Promise.all([
      this.openWound(transaction, fresh),
      fresh.resultPolicy ?? this.policyOf(transaction),
      // Read ahead, so that the time below costs no round trip.
      this.ports.clinicalClock.timeline(transaction),
    ]);
    // After the wound is held: who held it before may have filed what this one is compared with.
    const issuedAt = await this.ports.clinicalClock.now(transaction);
    const wound = await this.describe(transaction, opened, fresh.subject);
    const otherUses = await this.otherUsesOf(transaction, fresh, wound, root);
    const report: ClinicalReport = {
      ...tenant,
      id: fresh.id,
      version: 1,
      status: initialStatus(policy),
      reason: 'created',
      jobId: fresh.job.id,
      imageId: fresh.job.imageId,
      replaces: fresh.replaces,
      replacedBy: null,
      issuedAt,
      content: contentOf(fresh, wound, otherUses),
    };
    return this.series.settle(transaction, root, { report, write: 'insert', woundId: wound.id, isFirst: isNew });
  }

  /** What the photo is filed for besides. Whoever filed it before is told by `photo.shared`. */
  private async otherUsesOf(
    transaction: TenantTransaction,
    fresh: NewReport,
    wound: Wound,
    root: Wound,
  ): Promise<OtherUse[]> {
    const { imageId, result } = fresh.job;
    const filings = await this.ports.reports.filingsOfPhoto(transaction, imageId, result?.trace.pixelSha256 ?? null);
    if (filings.length === 0 || mayReusePhotos(this.rules, transaction.tenant)) return [];
    const mine = filingOf(fresh, wound, root);
    const all = [...filings, mine];
    if (filings.some((other) => usesBeside(other, all).some(({ reportId }) => reportId === mine.reportId)))
      await this.ports.outbox.append(transaction, { kind: 'photo.shared', subjectId: imageId });
    return usesBeside(mine, all);
  }

  private async policyOf(transaction: TenantTransaction): Promise<ResultPolicy> {
    const organization = await this.ports.organizations.find(transaction, transaction.tenant.organizationId);
    return organization?.resultPolicy ?? 'review';
  }

  /** The wound that the subject names, or one of its own where it names none; and, locked, the one whose series it is part of. */
  private async openWound(
    transaction: TenantTransaction,
    { job, subject, patientId }: NewReport,
  ): Promise<OpenedWound> {
    const { wounds } = this.ports;
    const fresh = this.newWound(tenantOf(job), subject, patientId);
    const key = woundKeyOf(subject, patientId);
    if (key === null) {
      await wounds.insert(transaction, fresh);
      return { opened: fresh, root: fresh, isNew: true };
    }
    const standing = await wounds.lockByKey(transaction, key);
    if (standing !== null) return { opened: standing, root: standing, isNew: false };
    const opened = await wounds.resolve(transaction, key, fresh);
    const isNew = opened.id === fresh.id;
    // Nobody else sees a wound that this transaction makes.
    return { opened, root: isNew ? opened : await wounds.lockRoot(transaction, opened.id), isNew };
  }

  /** Keeps what the subject says of its wound. Under the series' lock, which is always taken first. */
  private async describe(transaction: TenantTransaction, wound: Wound, subject: JobSubject | null): Promise<Wound> {
    const stated = describeWound(subject);
    const described = {
      // A site that is known stays until the series says which of two that contradict each other stands.
      bodySite: wound.bodySite ?? stated.bodySite,
      laterality: wound.laterality ?? stated.laterality,
      woundType: stated.woundType ?? wound.woundType,
    };
    const filed = { ...wound, ...described };
    if (!isSameJson(filed, wound)) await this.ports.wounds.update(transaction, wound.id, described);
    return filed;
  }

  private newWound(tenant: Tenant, subject: JobSubject | null, patientId: string | null): Wound {
    return {
      ...tenant,
      ...describeWound(subject),
      id: this.ports.ids.next(),
      patientId,
      patient: patientIdentifierOf(subject),
      woundIdSystem: subject?.woundIdSystem ?? '',
      woundId: subject?.woundId ?? null,
      status: 'open',
      closedAt: null,
      mergedInto: null,
      createdAt: this.ports.clock.now(),
    };
  }
}

function filingOf({ id, job, subject, findings }: NewReport, wound: Wound, root: Wound): PhotoFiling {
  const { bodySite, laterality } = describeWound(subject);
  const [outline] = findings.outlines;
  return {
    reportId: id,
    imageId: job.imageId,
    capturedAt: job.capturedAt,
    patientId: root.patientId,
    rootId: root.id,
    isNumbered: wound.woundId !== null,
    site: bodySite?.code ?? bodySite?.display ?? null,
    laterality,
    isPlaced: findings.outlineChoice === 'region',
    outline: outline === undefined ? null : JSON.stringify(outline),
  };
}

/** Without its place in the series, which `ReportSeries.settle` finds. */
function contentOf(
  { job, subject, findings, stated, review, erasedPhotos }: NewReport,
  wound: Wound,
  otherUses: readonly OtherUse[],
): ReportContent {
  const { bodySite, laterality, woundType, patient, woundId, woundIdSystem } = wound;
  return {
    subject: { patient, woundRef: wound.id, woundId, woundIdSystem, bodySite, laterality, woundType },
    stated: { woundRef: wound.id, bodySite: subject?.bodySite ?? null, laterality: subject?.laterality ?? null },
    ...(otherUses.length === 0 ? {} : { otherUses }),
    capturedAt: job.capturedAt.toISOString(),
    ...statedTimeOf(job),
    clinicalContext: job.clinicalContext,
    clinicianObservations: job.clinicianObservations,
    ...stated,
    findings,
    comparison: NOTHING_COMPARED,
    flags: [],
    review,
    models: job.result?.trace.models ?? [],
    ...(erasedPhotos === undefined || erasedPhotos.length === 0 ? {} : { erasedPhotos }),
    ...(job.sandbox === undefined ? {} : { sandbox: job.sandbox }),
  };
}
