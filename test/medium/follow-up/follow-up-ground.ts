import type { JobSubject } from '../../../src/core/analysis/analysis-job.js';
import type { TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { ReviewRequest } from '../../../src/core/report/review.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { FollowUpContext, REVIEWER } from '../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import type { DrawnResult } from '../../support/wound-results.js';

/** Who decided about a wound. */
export const BY_REVIEWER = { reviewer: REVIEWER, note: null };
export const NO_PERIOD = { from: null, to: null };

export const woundOf = ({ content }: ClinicalReport): string => content.subject.woundRef;

/** Core's follow-up over one test database for a file, and a new tenant for each of its specs. */
export class FollowUpGround {
  database!: TestDatabase;
  context!: DatabaseContext;
  followUp!: FollowUpContext;
  tenant!: Tenant;

  /** To be called where hooks may be: at the top of a file or of a `describe`. */
  static forSpecs(): FollowUpGround {
    const ground = new FollowUpGround();
    beforeAll(async () => {
      ground.database = await createTestDatabase();
      ground.context = await DatabaseContext.open(ground.database.url);
      ground.followUp = new FollowUpContext(ground.context);
    });
    afterAll(async () => {
      await ground.context?.close();
      await ground.database?.drop();
    });
    beforeEach(async () => {
      ground.tenant = await ground.context.createTenant();
    });
    return ground;
  }

  /** The report of a photo of that week, of a square wound of so many cm². */
  assess(week: number, areaCm2: number, subject?: JobSubject | null, drawn?: DrawnResult): Promise<ClinicalReport> {
    return this.followUp.assess(this.tenant, week, areaCm2, subject, drawn);
  }

  read(reportId: string): Promise<ClinicalReport> {
    return this.followUp.read(this.tenant, reportId);
  }

  review(
    report: Pick<ClinicalReport, 'id' | 'version'>,
    request: Omit<ReviewRequest, 'reviewer'>,
  ): Promise<ClinicalReport> {
    return this.followUp.review(this.tenant, report, request);
  }

  within<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.followUp.within(this.tenant, work);
  }

  takeReportEvents(): ReturnType<FollowUpContext['takeReportEvents']> {
    return this.followUp.takeReportEvents(this.tenant);
  }

  /** The areas on the timeline, oldest first, in cm². */
  async areasOf(woundRef: string): Promise<(number | undefined)[]> {
    const { assessments } = await this.followUp.reader.timeline(this.tenant, woundRef, NO_PERIOD);
    return assessments.map(({ report }) => report.content.findings.figures?.area.cm2?.value);
  }
}
