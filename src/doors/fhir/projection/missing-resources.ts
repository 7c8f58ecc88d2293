import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Logger } from '../../../platform/logging/logger.js';
import {
  MissingRecords,
  type CheckedWound,
  type MissingRecord,
} from '../../../standards/fhir/store/missing-records.js';
import { EventProjection } from './event-projection.js';
import { onceMore } from './once-more.js';
import { ReportProjection } from './report-projection.js';
import { TaskProjection } from './task-projection.js';

const PAGE = 100;

/** Of one record: whether something was missing, and is there now. False: it is to end. */
type Told = (wanted: boolean, isShown: boolean) => boolean | Promise<boolean>;

/** Writes what a tenant's resources lack of its records, oldest first, each record in a transaction of its own. */
@Injectable()
export class MissingResources {
  constructor(
    private readonly missing: MissingRecords,
    private readonly reports: ReportProjection,
    private readonly tasks: TaskProjection,
    private readonly events: EventProjection,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {}

  /**
   * Ends where `goesOn`, asked after each record with the numbers of those looked at and written, says no. A record that cannot be shown is named in the log and passed over.
   * `service.unavailable` ends it.
   */
  async write(tenant: Tenant, goesOn: (looked: number, written: number) => boolean | Promise<boolean>): Promise<void> {
    let [looked, written] = [0, 0];
    const told = (wanted: boolean, isShown: boolean): boolean | Promise<boolean> => {
      if (wanted && isShown) written += 1;
      looked += 1;
      return goesOn(looked, written);
    };
    // Reports first: they show wounds that no client wrote.
    if (await this.writeReports(tenant, told)) await this.writeEvents(tenant, told);
  }

  /**
   * Shows what people decided and stated of all wounds, whether it is shown already or not, and answers of how many it could not be shown. null:
   * `goesOn`, asked after each page and each wound, said no.
   */
  async writeDecisions(tenant: Tenant, goesOn: () => boolean): Promise<number | null> {
    let [after, failed]: [string | null, number] = [null, 0];
    for (;;) {
      const page: CheckedWound[] = await this.missing.decidedWounds(tenant, after, PAGE);
      for (const { id: woundId } of page.filter(({ isDecided }) => isDecided)) {
        const isShown = await this.attempt(tenant, { woundId }, (transaction) =>
          this.events.project(transaction, woundId, true),
        );
        if (!isShown) failed += 1;
        if (!goesOn()) return null;
      }
      if (page.length < PAGE) return failed;
      if (!goesOn()) return null;
      after = page.at(-1)!.id;
    }
  }

  /** False: it is to end. */
  private async writeReports(tenant: Tenant, told: Told): Promise<boolean> {
    let after: MissingRecord | null = null;
    for (;;) {
      const page: MissingRecord[] = await this.missing.page(tenant, after, PAGE);
      for (const record of page) {
        const wanted = lacks(record);
        const isShown = (wanted || record.mayBeBehind) && (await this.show(tenant, record));
        if (!(await told(wanted, isShown))) return false;
      }
      if (page.length < PAGE) return true;
      after = page.at(-1)!;
    }
  }

  private async writeEvents(tenant: Tenant, told: Told): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const page: string[] = await this.missing.wounds(tenant, after, PAGE);
      for (const woundId of page) {
        const isShown = await this.attempt(tenant, { woundId }, (transaction) =>
          this.events.project(transaction, woundId),
        );
        if (!(await told(true, isShown))) return;
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }

  private show(tenant: Tenant, { jobId, reportIds }: MissingRecord): Promise<boolean> {
    return this.attempt(tenant, { jobId }, async (transaction) => {
      if (reportIds.length > 0) await this.reports.project(transaction, reportIds);
      // The Task of a job with a report is written with that; one whose report is still to come is not completed yet.
      else await this.tasks.follow(transaction, jobId);
    });
  }

  /** False: it could not be shown, which the log says of this record. */
  private async attempt(
    tenant: Tenant,
    record: Readonly<Record<string, string>>,
    project: (transaction: TenantTransaction) => Promise<void>,
  ): Promise<boolean> {
    try {
      await onceMore(() => this.unitOfWork.inTenant(tenant, project));
      return true;
    } catch (error) {
      if (isSuturaError(error, 'service.unavailable')) throw error;
      this.logger.error('fhir.backfill_failed', record, error);
      return false;
    }
  }
}

function lacks({ lacksTask, reportIds }: MissingRecord): boolean {
  return lacksTask || reportIds.length > 0;
}
