import { patientIdentifierOf, type AnalysisJob, type JobSubject } from '../analysis/analysis-job.js';
import { outlineAt, regionFault } from '../measurement/photo-region.js';
import type { WoundResult } from '../measurement/wound-result.js';
import { SuturaError } from '../errors/sutura-error.js';
import { findingsOf, type AssessmentFindings } from '../followup/assessment.js';
import { restated } from '../analysis/restated-observations.js';
import { correctFindings } from '../followup/correction.js';
import type { SeriesComparison } from '../followup/series.js';
import type { Wound } from '../followup/wound.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { CurrentReport, ReportRepository } from './report.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ClinicalReport, ReportContent, ReviewStamp } from './clinical-report.js';
import { hasReplacedForm } from './reported-assessment.js';
import type { ReportAssembly } from './report-assembly.js';
import type { ReportSeries } from './report-series.js';
import { isSameJson } from './same-content.js';
import { statusAfterReview } from './report-status.js';
import type { ReviewRequest } from './review.js';

export interface ReportReviewPorts {
  readonly jobs: JobRepository;
  readonly images: ImageRepository;
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
  readonly patients: PatientRepository;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly ids: IdSource;
}

interface Case {
  readonly tenant: Tenant;
  /** The wound whose series the report stands in; locked. */
  readonly root: Wound;
  readonly current: CurrentReport;
  readonly job: AnalysisJob;
  readonly request: ReviewRequest;
  readonly stamp: ReviewStamp;
}

/** Takes people's decisions about reports. The job's own result stays what the model said. */
export class ReportReviewing {
  constructor(
    private readonly ports: ReportReviewPorts,
    private readonly series: ReportSeries,
    private readonly assembly: ReportAssembly,
  ) {}

  /**
   * Makes the next version of the report as the decision says, inside the caller's transaction, and further versions of the wound's
   * other reports whose figures it changes. Returns the version that now stands; after a reassignment the new report.
   * `report.not_found`, `report.stale` where `expectedVersion` is no longer the present one, `report.entered_in_error`,
   * `request.invalid` with the field that does not fit.
   */
  async review(
    transaction: TenantTransaction,
    reportId: string,
    expectedVersion: number,
    request: ReviewRequest,
  ): Promise<ClinicalReport> {
    const { root, current } = await this.requireShown(transaction, reportId, expectedVersion);
    const job = await this.ports.jobs.find(transaction, current.report.jobId);
    if (job === null) throw new SuturaError('report.not_found');
    const stamp = {
      decision: request.decision,
      reviewer: request.reviewer,
      note: request.note ?? null,
      reviewedAt: (await this.ports.clinicalClock.now(transaction)).toISOString(),
      ...(request.enteredBy === undefined ? {} : { enteredBy: request.enteredBy }),
    };
    return this.decide(transaction, { tenant: transaction.tenant, root, current, job, request, stamp });
  }

  /**
   * Locks the series, so that what is decided next is about the version that its person saw. `report.not_found`, `report.stale` where another one
   * stands than `expectedVersion`, `report.entered_in_error`.
   */
  async requireShown(
    transaction: TenantTransaction,
    reportId: string,
    expectedVersion: number,
  ): Promise<Pick<Case, 'root' | 'current'>> {
    const known = await this.ports.reports.find(transaction, reportId);
    if (known === null) throw new SuturaError('report.not_found');
    const root = await this.ports.wounds.lockRoot(transaction, known.woundId);
    // Once more under the lock: another decision may have come first.
    const current = (await this.ports.reports.find(transaction, reportId)) ?? known;
    if (current.report.version !== expectedVersion) throw new SuturaError('report.stale');
    if (current.report.status === 'entered-in-error') throw new SuturaError('report.entered_in_error');
    return { root, current };
  }

  private async decide(transaction: TenantTransaction, subject: Case): Promise<ClinicalReport> {
    const isFormReplaced = await this.isFormReplaced(transaction, subject.current.report);
    const next = nextVersion(subject, isFormReplaced);
    if (next.status === 'entered-in-error') return this.withdraw(transaction, subject, next);
    const written = await this.series.settle(transaction, subject.root, {
      report: next,
      write: 'append',
      woundId: subject.current.woundId,
      isFormChanged: !isSameJson(formOf(next), formOf(subject.current.report)),
    });
    await this.record(transaction, subject, next.version);
    return written ?? next;
  }

  /** By what every version says, where an older release wrote the present one. */
  private async isFormReplaced(transaction: TenantTransaction, { id, content }: ClinicalReport): Promise<boolean> {
    if (content.formReplaced !== undefined || content.review === null) return content.formReplaced === true;
    return hasReplacedForm(await this.ports.reports.versions(transaction, id));
  }

  /** Out of its series, which closes up behind it; a reassigned report stands anew under its right wound. */
  private async withdraw(transaction: TenantTransaction, subject: Case, next: ClinicalReport): Promise<ClinicalReport> {
    await this.ports.reports.append(transaction, [next]);
    await this.ports.outbox.append(transaction, { kind: 'report.amended', subjectId: next.id });
    await this.record(transaction, subject, next.version);
    const moved =
      subject.request.decision === 'reassign' ? await this.refile(transaction, subject, next.content) : null;
    await this.series.settle(transaction, subject.root);
    return moved ?? next;
  }

  private async refile(
    transaction: TenantTransaction,
    { current: { report }, job, request, stamp }: Case,
    { clinicianObservations }: ReportContent,
  ): Promise<ClinicalReport> {
    const target = request.subject;
    const identifier = patientIdentifierOf(target ?? null);
    if (target === undefined || identifier === null) {
      throw new SuturaError('request.invalid', {
        errors: [{ pointer: '/subject/patientId', detail: 'a reassignment names the patient that the photo is of' }],
      });
    }
    const patientId = await this.ports.patients.resolve(transaction, identifier, this.ports.ids.next());
    // Later analyses of the photo belong to the right patient, too.
    await this.ports.images.assignPatient(transaction, job.imageId, patientId);
    const id = this.ports.ids.next();
    const filed = await this.assembly.file(transaction, {
      id,
      job,
      subject: target,
      patientId,
      findings: findingsAt(target, job, report.content.findings),
      // Whether it replaced another is of this report: at the right wound another analysis of the photo may have a form that nobody has decided on.
      stated: { clinicianObservations },
      replaces: report.id,
      review: stamp,
      erasedPhotos: (report.content.erasedPhotos ?? []).filter(({ imageId }) => imageId === job.imageId),
    });
    if (filed === null) throw new Error('A reassigned report could not be written.');
    await this.ports.reports.markReplaced(transaction, report.id, id);
    return filed;
  }

  private async record(
    transaction: TenantTransaction,
    { current: { report }, request, stamp }: Case,
    version: number,
  ): Promise<void> {
    const { decision, reviewer, contour, outlines, tissue, calibration, observations, subject } = request;
    const parts = { contour, outlines, tissue, calibration, observations, subject };
    const changed = Object.values(parts).some((part) => part !== undefined);
    await this.ports.reports.recordReview(transaction, {
      id: this.ports.ids.next(),
      reportId: report.id,
      version,
      decision,
      reviewer,
      note: stamp.note,
      changes: changed ? parts : null,
      reviewedAt: new Date(stamp.reviewedAt),
      enteredBy: stamp.enteredBy ?? null,
    });
    // What contradicted this photo's other reports may do so no longer.
    if (report.content.otherUses !== undefined || decision === 'reject' || decision === 'reassign')
      await this.ports.outbox.append(transaction, { kind: 'photo.shared', subjectId: report.imageId });
  }
}

/** What clinicians stated, as later verdicts read it. */
function formOf({ content: { clinicianObservations, findings } }: ClinicalReport): object {
  const { confirmedTissues, tissue } = findings;
  return { clinicianObservations, confirmedTissues, tissue: confirmedTissues.length === 0 ? null : tissue };
}

/** The model's findings at the place in the photo that the right subject names; else as they stand. */
function findingsAt({ region }: JobSubject, job: AnalysisJob, findings: AssessmentFindings): AssessmentFindings {
  if (region === undefined || findings.outlineSource !== 'model') return findings;
  const result = resultOf(job);
  const fault = regionFault(region, findings.photo);
  if (fault !== null)
    throw new SuturaError('request.invalid', { errors: [{ pointer: '/subject/region', detail: fault }] });
  return findingsOf({ ...result, region: outlineAt(result.wounds, region, findings.photo) });
}

/** The report as the decision leaves it, before it is compared with its neighbours. */
function nextVersion({ current: { report }, job, request, stamp }: Case, isFormReplaced: boolean): ClinicalReport {
  const status = statusAfterReview(report.status, request.decision);
  const { content } = report;
  const findings =
    request.decision === 'correct'
      ? correctFindings(content.findings, resultOf(job), request, content.clinicianObservations)
      : content.findings;
  return {
    ...report,
    version: report.version + 1,
    status,
    reason: 'reviewed',
    issuedAt: new Date(stamp.reviewedAt),
    content: {
      ...content,
      clinicianObservations:
        request.observations === undefined
          ? content.clinicianObservations
          : restated(request.observations, content.clinicianObservations),
      formReplaced: request.observations !== undefined || isFormReplaced,
      findings,
      comparison: status === 'entered-in-error' ? decided(content.comparison) : content.comparison,
      review: stamp,
    },
  };
}

/** A withdrawn report no longer waits for review. */
function decided(comparison: SeriesComparison): SeriesComparison {
  const { noTrendReason } = comparison;
  return {
    ...comparison,
    attention: [],
    noTrendReason: noTrendReason === 'awaiting_confirmation' ? 'withdrawn' : noTrendReason,
  };
}

/** Only completed jobs have reports. */
function resultOf({ result }: AnalysisJob): WoundResult {
  if (result === null) throw new SuturaError('report.not_found');
  return result;
}
