import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { StatedStage } from '../../../core/report/stated-stage.js';

/** Stages that clients state of a wound, and of no photo. */
export abstract class ClientStages {
  /** Those that stand, of the wound and of what was joined into it. */
  abstract ofWound(transaction: TenantTransaction, rootWoundId: string): Promise<readonly StatedStage[]>;
}
