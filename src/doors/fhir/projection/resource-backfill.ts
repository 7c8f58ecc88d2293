import { Injectable } from '@nestjs/common';
import { BackgroundPass } from '../../../platform/background-pass.js';
import { Settings } from '../../../platform/config/settings.js';
import { Logger } from '../../../platform/logging/logger.js';
import { OpenedTenants } from '../../../standards/fhir/store/opened-tenants.js';
import { MissingResources } from './missing-resources.js';

/** Raised where wounds have to be looked through once more, since a release shows more of them: 1, how they were closed, their relations and stages. */
const WOUNDS_FORM = 1;

/** Shows what a stop or an earlier release left out, of tenants that ever asked for FHIR. */
@Injectable()
export class ResourceBackfill extends BackgroundPass {
  protected readonly interruption = 'fhir.backfill_interrupted';

  constructor(
    private readonly opened: OpenedTenants,
    private readonly missing: MissingResources,
    settings: Settings,
    logger: Logger,
  ) {
    super(settings, logger);
  }

  protected async pass(advanced: (rows: number) => void): Promise<void> {
    for (const tenant of await this.opened.all()) {
      let before = 0;
      await this.missing.write(tenant, (_looked, written) => {
        advanced(written - before);
        before = written;
        return !this.isStopped;
      });
      if (this.isStopped) return;
    }
    for (const tenant of await this.opened.woundsBehind(WOUNDS_FORM)) {
      const failed = await this.missing.writeDecisions(tenant, () => !this.isStopped);
      if (failed === null) return;
      // The next start looks once more at a tenant with a wound that could not be shown, which the log names.
      if (failed === 0) await this.opened.keepWoundsForm(tenant, WOUNDS_FORM);
    }
  }

  protected finished(shown: number): void {
    if (shown > 0) this.logger.info('fhir.backfilled', { shown });
  }
}
