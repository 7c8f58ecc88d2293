import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { UnprojectedReports } from '../store/unprojected-reports.js';
import { ReportProjection } from './report-projection.js';

const PAGE = 100;

/**
 * Shows over FHIR what was reported before this door was there. Runs once after each start, one report at a time behind everything else;
 * what is shown already is not looked at again, so that a stop in between loses nothing.
 */
@Injectable()
export class ReportBackfill implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly unprojected: UnprojectedReports,
    private readonly projection: ReportProjection,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.environment.SUTURA_ROLES.includes('api')) this.running = this.run().then(() => undefined);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** How many reports it has shown. One that cannot be shown is named in the log and left for the next start. */
  async run(): Promise<number> {
    let shown = 0;
    let after: string | null = null;
    try {
      for (;;) {
        const page = await this.unprojected.find(PAGE, after);
        for (const { tenant, reportId } of page) {
          if (this.stopped) return shown;
          shown += (await this.show(tenant, reportId)) ? 1 : 0;
          after = reportId;
        }
        if (page.length < PAGE) return this.finish(shown);
      }
    } catch (error) {
      // The database is away: the next start goes on from here.
      this.logger.warn('fhir.backfill_stopped', { shown, error: error instanceof Error ? error.name : 'unknown' });
      return shown;
    }
  }

  private async show(tenant: Parameters<UnitOfWork['inTenant']>[0], reportId: string): Promise<boolean> {
    try {
      await this.unitOfWork.inTenant(tenant, (transaction) => this.projection.project(transaction, tenant, [reportId]));
      return true;
    } catch (error) {
      this.logger.error('fhir.backfill_failed', { reportId }, error);
      return false;
    }
  }

  private finish(shown: number): number {
    if (shown > 0) this.logger.info('fhir.backfilled', { shown });
    return shown;
  }
}
