import type { AnalysisJob } from '../analysis/analysis-job.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { BirthDates } from '../patients/birth-dates.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { KnownSeries, ReportRepository } from './report.repository.js';
import { toAssessment } from './reported-assessment.js';
import { tenantOf } from '../tenancy/tenant.js';
import { findingsOf } from '../followup/assessment.js';
import { compareSeries, type SeriesComparison } from '../followup/series.js';
import { closuresOf } from '../followup/wound-closure.js';
import { woundKeyOf } from '../followup/wound.js';

export interface FollowUpPorts {
  readonly unitOfWork: Pick<UnitOfWork, 'inSystem'>;
  readonly reports: Pick<ReportRepository, 'knownSeries'>;
  readonly birthDates: BirthDates;
  readonly clinicalClock: ClinicalClock;
}

/** The parts of a result that the wound's series gives. */
export type FollowUpAtCompletion = Required<Pick<WoundResult, 'followUp' | 'attention'>>;

/** Of a wound that nobody has named before. */
const NEW_WOUND: KnownSeries = { woundRef: '', figures: [], history: [], treatments: [], relations: [] };

/** Says how a result compares with what the wound's series holds at that moment. */
export class FollowUpSummariser {
  constructor(private readonly ports: FollowUpPorts) {}

  /**
   * Without a follow-up where the subject names no wound, where there is no earlier area to compare with, and where a newer release wrote the
   * series: the analysis is done all the same, and the report of a process that can read it compares.
   */
  async summarise(job: AnalysisJob, result: WoundResult): Promise<FollowUpAtCompletion> {
    try {
      return await this.compare(job, result);
    } catch (fault) {
      if (isSuturaError(fault, 'data.newer_release'))
        return { followUp: null, attention: isReviewAsked(job) ? ['sandbox'] : [] };
      throw fault;
    }
  }

  private async compare(job: AnalysisJob, result: WoundResult): Promise<FollowUpAtCompletion> {
    const key = woundKeyOf(job.subject, job.patientId);
    const known = (key === null ? null : await this.ports.reports.knownSeries(tenantOf(job), key)) ?? NEW_WOUND;
    const mine = {
      reportId: job.reportId,
      jobId: job.id,
      imageId: job.imageId,
      capturedAt: job.capturedAt,
      capturedAsStated: job.capturedAsStated ?? undefined,
      findings: findingsOf(result),
      stated: {
        woundRef: known.woundRef,
        bodySite: job.subject?.bodySite ?? null,
        laterality: job.subject?.laterality ?? null,
      },
      reviewed: false,
      woundType: null,
      observations: null,
      isReviewAsked: isReviewAsked(job),
    };
    const birthDate = await this.birthDateOf(job);
    const comparisons = compareSeries(
      [...known.figures.map(toAssessment), mine].map((assessment) => ({ ...assessment, birthDate })),
      closuresOf(known.history),
      known.treatments,
    );
    const { attention, ...comparison } = comparisons.get(job.reportId)!;
    // What a wound grew together with is not read here: its report compares, and nothing that would be wrong is told before.
    if (known.relations.length > 0)
      return { followUp: null, attention: attention.filter((reason) => reason !== 'area_jump') };
    return this.summaryOf({ ...comparison, attention }, await this.ports.clinicalClock.nowOf(tenantOf(job)));
  }

  private birthDateOf(job: AnalysisJob): Promise<string | null> {
    const { patientId } = job;
    if (patientId === null) return Promise.resolve(null);
    return this.ports.unitOfWork.inSystem((system) => this.ports.birthDates.of(system.about(tenantOf(job)), patientId));
  }

  /** The same, of a comparison that was made with the series, as it stood at `asOf`. */
  summaryOf(
    {
      attention,
      previous,
      sincePrevious,
      sinceBaseline,
    }: Pick<SeriesComparison, 'attention' | 'previous' | 'sincePrevious' | 'sinceBaseline'>,
    asOf: Date,
  ): FollowUpAtCompletion {
    if (previous === null || sincePrevious === null) return { followUp: null, attention };
    const followUp = {
      asOf: asOf.toISOString(),
      previousJobId: previous.jobId,
      daysSincePrevious: sincePrevious.days,
      areaChangePct: sincePrevious.areaPct,
      areaChangeSinceBaselinePct: sinceBaseline?.areaPct ?? null,
      minimalDetectableChangePct: sincePrevious.minimalDetectableChangePct,
      beyondDetectable: sincePrevious.beyondDetectable,
      warnings: sincePrevious.warnings,
    };
    return { followUp, attention };
  }
}

function isReviewAsked({ sandbox }: AnalysisJob): boolean {
  return sandbox === 'needs_review';
}
