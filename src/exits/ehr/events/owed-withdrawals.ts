import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { WithdrawnReports } from '../../../core/report/withdrawn-reports.js';
import { FiledLedger } from '../queue/filed-ledger.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { ResultFilings } from './result-filings.js';

/**
 * Withdrawals that an EHR was not told of, as its registration, and the ledger with it, was away, or nothing was filed there. Nobody knows what stands
 * there of those reports: each is made, and held for a person.
 */
@Injectable()
export class OwedWithdrawals {
  private isStopped = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly withdrawn: WithdrawnReports,
    private readonly filings: ResultFilings,
    private readonly ledger: FiledLedger,
    private readonly clock: ClinicalClock,
  ) {}

  /** Makes those of EHRs that results are filed in now. A repeat makes nothing. `failed`: of one EHR, which stops no other's. */
  async make(served: readonly PushingEhr[], failed: (ehr: PushingEhr, fault: unknown) => void): Promise<void> {
    if (served.length === 0) return;
    for (const { ehrId, owedAt } of await this.ledger.owingWithdrawals()) {
      const ehr = served.find(({ id }) => id === ehrId);
      if (ehr !== undefined) await this.makeOf(ehr, owedAt).catch((fault: unknown) => failed(ehr, fault));
    }
  }

  /** What is not made by then is made by the next process. */
  stop(): void {
    this.isStopped = true;
  }

  private async makeOf(ehr: PushingEhr, owedAt: string): Promise<void> {
    const timeline = await this.clock.timelineOf(ehr);
    const registered = { ...ehr, createdAt: timeline.at(ehr.createdAt) };
    const ids = await this.unitOfWork.inTenant(ehr, (transaction) => this.withdrawn.ids(transaction));
    for (const id of ids) {
      if (this.isStopped) return;
      await this.filings.owe(ehr, id, registered);
    }
    await this.ledger.owesNoWithdrawals(ehr.id, owedAt);
  }
}
