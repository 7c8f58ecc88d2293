import type { WoundRepository } from '../followup/wound.repository.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ReportSeries } from './report-series.js';

export interface RelatedWoundPorts {
  readonly unitOfWork: UnitOfWork;
  readonly wounds: Pick<WoundRepository, 'find' | 'lockRoot'>;
}

/** Has a wound compared anew where the areas of one changed with which it grew together or fell apart. */
export class RelatedWounds {
  constructor(
    private readonly ports: RelatedWoundPorts,
    private readonly series: ReportSeries,
  ) {}

  /** In a transaction of its own, so that no two wounds are locked at once. What is told already is left as it is. */
  settle(tenant: Tenant, woundId: string): Promise<void> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      // Erased meanwhile.
      if ((await this.ports.wounds.find(transaction, woundId)) === null) return;
      await this.series.settle(transaction, await this.ports.wounds.lockRoot(transaction, woundId));
    });
  }
}
