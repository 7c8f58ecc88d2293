import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { BackgroundPass } from '../../platform/background-pass.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { UnprojectedReports } from '../store/unprojected-reports.js';
import { ReportProjection } from './report-projection.js';

const PAGE = 100;

/** Shows reports from before this door was there, one at a time; reports that are shown already are skipped. */
@Injectable()
export class ReportBackfill extends BackgroundPass {
  protected readonly interruption = 'fhir.backfill_interrupted';

  constructor(
    private readonly unprojected: UnprojectedReports,
    private readonly projection: ReportProjection,
    private readonly unitOfWork: UnitOfWork,
    settings: Settings,
    logger: Logger,
  ) {
    super(settings, logger);
  }

  /** A report that cannot be shown is named in the log and left for the next start. */
  protected async pass(advanced: (rows: number) => void): Promise<void> {
    let after: string | null = null;
    for (
      let page = await this.unprojected.find(PAGE, after);
      page.length > 0;
      page = await this.unprojected.find(PAGE, after)
    ) {
      for (const { tenant, reportId } of page) {
        if (this.isStopped) return;
        if (await this.show(tenant, reportId)) advanced(1);
        after = reportId;
      }
    }
  }

  protected finished(shown: number): void {
    if (shown > 0) this.logger.info('fhir.backfilled', { shown });
  }

  private async show(tenant: Parameters<UnitOfWork['inTenant']>[0], reportId: string): Promise<boolean> {
    try {
      await this.unitOfWork.inTenant(tenant, (transaction) => this.projection.project(transaction, [reportId]));
      return true;
    } catch (error) {
      this.logger.error('fhir.backfill_failed', { reportId }, error);
      return false;
    }
  }
}
