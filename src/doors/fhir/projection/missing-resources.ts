import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Logger } from '../../../platform/logging/logger.js';
import { MissingRecords, type MissingRecord } from '../../../standards/fhir/store/missing-records.js';
import { onceMore } from './once-more.js';
import { ReportProjection } from './report-projection.js';
import { TaskProjection } from './task-projection.js';

const PAGE = 100;

/** Writes what a tenant's resources lack of its records, oldest first, each record in a transaction of its own. */
@Injectable()
export class MissingResources {
  constructor(
    private readonly missing: MissingRecords,
    private readonly reports: ReportProjection,
    private readonly tasks: TaskProjection,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {}

  /**
   * Ends where `goesOn`, asked after each record with the numbers of those looked at and written, says no. A record that cannot be shown is named in the log and passed over.
   * `service.unavailable` ends it.
   */
  async write(tenant: Tenant, goesOn: (looked: number, written: number) => boolean | Promise<boolean>): Promise<void> {
    let [looked, written] = [0, 0];
    let after: MissingRecord | null = null;
    for (;;) {
      const page: MissingRecord[] = await this.missing.page(tenant, after, PAGE);
      for (const record of page) {
        const wanted = lacks(record);
        const isShown = (wanted || record.mayBeBehind) && (await this.show(tenant, record));
        if (wanted && isShown) written += 1;
        looked += 1;
        if (!(await goesOn(looked, written))) return;
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }

  private async show(tenant: Tenant, { jobId, reportIds }: MissingRecord): Promise<boolean> {
    try {
      await onceMore(() =>
        this.unitOfWork.inTenant(tenant, async (transaction) => {
          if (reportIds.length > 0) await this.reports.project(transaction, reportIds);
          // The Task of a job with a report is written with that; one whose report is still to come is not completed yet.
          else await this.tasks.follow(transaction, jobId);
        }),
      );
      return true;
    } catch (error) {
      if (isSuturaError(error, 'service.unavailable')) throw error;
      this.logger.error('fhir.backfill_failed', { jobId }, error);
      return false;
    }
  }
}

function lacks({ lacksTask, reportIds }: MissingRecord): boolean {
  return lacksTask || reportIds.length > 0;
}
