import type { CardSize } from './calibration-card.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** A tenant's measurement of one size of its printed calibration cards. */
export interface MeasuredCard {
  readonly size: CardSize;
  /** Length of the check bar on paper. */
  readonly barMm: number;
  readonly measuredAt: Date;
}

/** Corrections of cards that were not printed at 100 %; at most one for each size of card. */
export abstract class CalibrationRepository {
  abstract list(transaction: TenantTransaction): Promise<MeasuredCard[]>;
  /** Replaces the one of the same size. */
  abstract save(transaction: TenantTransaction, card: MeasuredCard): Promise<void>;
  /** Of one size, or of all; none stored is no error. */
  abstract remove(transaction: TenantTransaction, size: CardSize | null): Promise<void>;
}
