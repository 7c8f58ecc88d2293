import type { ClaimedJob } from '../analysis/analysis-job.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { FollowUpSummariser } from './follow-up-summariser.js';

/** Ends jobs with their results. */
export class JobCompletion {
  constructor(
    private readonly jobs: Pick<JobRepository, 'complete'>,
    private readonly followUp: Pick<FollowUpSummariser, 'summarise'>,
  ) {}

  /**
   * Ends a job with its result, compared with the wound's earlier photos as they stand now. False: the lease was lost and another worker has the
   * job; nothing was written.
   */
  async complete({ lease, job }: ClaimedJob, result: WoundResult): Promise<boolean> {
    return this.jobs.complete(lease, { ...result, ...(await this.followUp.summarise(job, result)) });
  }
}
