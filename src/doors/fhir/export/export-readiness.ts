import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import { FhirActivation } from '../projection/fhir-activation.js';
import { FhirProjectionHandler } from '../projection/fhir-projection.handler.js';
import { MissingResources } from '../projection/missing-resources.js';
import { OpenedTenants } from '../../../standards/fhir/store/opened-tenants.js';
import type { ExportWork } from './bulk-export.js';
import { ExportQueue } from './export-queue.js';

/** Events are shown within a second or two. What is still owed after that long failed, and is looked for in the records themselves. */
const OWED_FOR_MS = 20_000;

/** Whether the resources of a tenant show all that was filed before its export. */
@Injectable()
export class ExportReadiness {
  constructor(
    private readonly opening: FhirActivation,
    private readonly handler: FhirProjectionHandler,
    private readonly opened: OpenedTenants,
    private readonly missing: MissingResources,
    private readonly queue: ExportQueue,
  ) {}

  /** False: not yet. `goesOn`, asked again and again meanwhile, ends the work where it says no. */
  async isReached(work: ExportWork, now: Date, goesOn: () => Promise<boolean>): Promise<boolean> {
    const tenant = tenantOf(work);
    try {
      await this.opening.ensureActive(tenant);
    } catch (error) {
      if (isSuturaError(error, 'fhir.preparing')) return false;
      throw error;
    }
    if ((await this.opened.find(tenant))?.isComplete !== true) return false;
    if (!(await this.queue.isOwed(work, this.handler.name))) return true;
    if (now.getTime() - work.askedAt.getTime() < OWED_FOR_MS) return false;
    let isThrough = true;
    await this.missing.write(tenant, async () => (isThrough = await goesOn()));
    return isThrough;
  }
}
