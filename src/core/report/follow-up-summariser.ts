import type { AnalysisJob } from '../analysis/analysis-job.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { Clock } from '../ports/clock.js';
import type { ReportRepository } from './report.repository.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import { toAssessment } from './report-series.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { findingsOf } from '../followup/assessment.js';
import { compareSeries } from '../followup/series.js';
import { closuresOf, type Closure } from '../followup/wound-closure.js';
import { woundKeyOf, type WoundKey } from '../followup/wound.js';
import type { ReportFigures } from './clinical-report.js';

export interface FollowUpPorts {
  readonly unitOfWork: UnitOfWork;
  readonly wounds: WoundRepository;
  readonly reports: ReportRepository;
  readonly clock: Clock;
}

/** The parts of a result that the wound's series gives. */
export type FollowUpAtCompletion = Required<Pick<WoundResult, 'followUp' | 'attention'>>;

interface KnownSeries {
  readonly woundRef: string;
  readonly earlier: readonly ReportFigures[];
  readonly closures: readonly Closure[];
}

/** Of a wound that nobody has named before. */
const NEW_WOUND: KnownSeries = { woundRef: '', earlier: [], closures: [] };

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
      if (isSuturaError(fault, 'data.newer_release')) return { followUp: null, attention: [] };
      throw fault;
    }
  }

  private seriesOf(tenant: Tenant, key: WoundKey): Promise<KnownSeries> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const wound = await this.ports.wounds.findByKey(transaction, key);
      if (wound === null) return NEW_WOUND;
      const root = await this.ports.wounds.rootOf(transaction, wound.id);
      return {
        woundRef: wound.id,
        earlier: await this.ports.reports.figures(transaction, root.id),
        closures: closuresOf(await this.ports.wounds.history(transaction, root.id)),
      };
    });
  }

  private async compare(job: AnalysisJob, result: WoundResult): Promise<FollowUpAtCompletion> {
    const key = woundKeyOf(job.subject, job.patientId);
    const known = key === null ? NEW_WOUND : await this.seriesOf(tenantOf(job), key);
    const mine = {
      reportId: job.reportId,
      jobId: job.id,
      imageId: job.imageId,
      capturedAt: job.capturedAt,
      findings: findingsOf(result),
      stated: {
        woundRef: known.woundRef,
        bodySite: job.subject?.bodySite ?? null,
        laterality: job.subject?.laterality ?? null,
      },
      reviewed: false,
      woundType: null,
      infectionSigns: [],
    };
    const { attention, previous, sincePrevious, sinceBaseline } = compareSeries(
      [...known.earlier.map(toAssessment), mine],
      known.closures,
    ).get(job.reportId)!;
    if (previous === null || sincePrevious === null) return { followUp: null, attention };
    const followUp = {
      asOf: this.ports.clock.now().toISOString(),
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
