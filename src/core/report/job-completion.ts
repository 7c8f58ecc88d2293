import type { ClaimedJob } from '../analysis/analysis-job.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { PictureDigests, WoundResult } from '../measurement/wound-result.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import type { FollowUpSummariser } from './follow-up-summariser.js';
import type { ReportAssembly } from './report-assembly.js';

export interface JobCompletionPorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: Pick<JobRepository, 'complete' | 'completeWithReport'>;
}

/** Another worker has the job: the transaction rolls back, with the report. */
class LeaseLost extends Error {}

/** Ends jobs with their results. */
export class JobCompletion {
  constructor(
    private readonly ports: JobCompletionPorts,
    private readonly assembly: Pick<ReportAssembly, 'fileFirst'>,
    private readonly followUp: Pick<FollowUpSummariser, 'summarise' | 'summaryOf'>,
  ) {}

  /**
   * Ends a job with its result, compared with the wound's earlier photos as they stand now, and files its report, all or nothing. Where the
   * report cannot be made now, the analysis is done all the same, and `analysis.completed` has the report made later. False: the lease was lost
   * and another worker has the job; nothing was written.
   * @param pictures digests of those that were stored for the result
   */
  async complete(claimed: ClaimedJob, result: WoundResult, pictures: PictureDigests = {}): Promise<boolean> {
    try {
      await this.completeWithReport(claimed, result, pictures);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      const { lease, job } = claimed;
      const compared = { ...result, ...(await this.followUp.summarise(job, result)) };
      return this.ports.jobs.complete(lease, compared, pictures);
    }
  }

  private completeWithReport(
    { lease, job, resultPolicy }: ClaimedJob,
    result: WoundResult,
    pictures: PictureDigests,
  ): Promise<void> {
    return this.ports.unitOfWork.inSystem(async (system) => {
      const transaction = system.about(tenantOf(job));
      const report = await this.assembly.fileFirst(transaction, { ...job, result }, resultPolicy);
      const compared = { ...result, ...this.followUp.summaryOf(report.content.comparison, report.issuedAt) };
      if (!(await this.ports.jobs.completeWithReport(transaction, lease, compared, pictures))) throw new LeaseLost();
    });
  }
}
