import { usesBeside, type PhotoFiling } from '../followup/same-photo.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ReportRepository } from './report.repository.js';
import { mayReusePhotos, type AssemblyRules } from './report-assembly.js';
import type { ReportSeries } from './report-series.js';
import { isConfirmed } from './review.js';
import { isSameJson } from './same-content.js';

export interface SharedPhotoPorts {
  readonly unitOfWork: UnitOfWork;
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
}

/** Tells the reports of one photo of each other: one that was issued before the photo came again is corrected, and one that nothing contradicts any more waits no longer. */
export class SharedPhotos {
  constructor(
    private readonly ports: SharedPhotoPorts,
    private readonly series: ReportSeries,
    private readonly rules: AssemblyRules = { allowReusedPhotos: false },
  ) {}

  /** Each report of the photo in a transaction of its own, so that no two wounds are locked at once. What is told already is left as it is. */
  async settle(tenant: Tenant, imageId: string): Promise<void> {
    const { unitOfWork, reports } = this.ports;
    const filings = await unitOfWork.inTenant(tenant, (transaction) =>
      reports.filingsOfPhoto(transaction, imageId, null),
    );
    for (const filing of filings)
      await unitOfWork.inTenant(tenant, (transaction) => this.settleOne(transaction, filing));
  }

  private async settleOne(transaction: TenantTransaction, { reportId, imageId }: PhotoFiling): Promise<void> {
    const { reports, wounds } = this.ports;
    const known = await reports.find(transaction, reportId);
    if (known === null) return;
    const root = await wounds.lockRoot(transaction, known.woundId);
    const filings = await reports.filingsOfPhoto(transaction, imageId, null);
    const mine = filings.find((one) => one.reportId === reportId);
    const current = await reports.find(transaction, reportId);
    // What a person has decided about does not wait.
    if (mine === undefined || current === null || isConfirmed(current.report.content.review)) return;
    const uses = mayReusePhotos(this.rules, transaction.tenant) ? [] : usesBeside(mine, filings);
    if (isSameJson(uses, current.report.content.otherUses ?? [])) return;
    await this.series.settle(transaction, root, null, 'recomputed', new Map([[reportId, uses]]));
  }
}
