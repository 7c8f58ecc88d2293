import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalEvent, EventWithdrawal } from './clinical-event.js';

/** The clinical events of wounds. The caller holds the lock of the wound that the series is of. */
export abstract class ClinicalEventRepository {
  abstract insert(transaction: TenantTransaction, event: ClinicalEvent): Promise<void>;
  /** Of the wound and of those merged into it, withdrawn ones too; oldest first. */
  abstract ofSeries(transaction: TenantTransaction, rootWoundId: string): Promise<ClinicalEvent[]>;
  /** Whether there is an event with this id, of any wound, withdrawn or not. */
  abstract exists(transaction: TenantTransaction, eventId: string): Promise<boolean>;
  abstract withdraw(transaction: TenantTransaction, eventId: string, withdrawal: EventWithdrawal): Promise<void>;
}
