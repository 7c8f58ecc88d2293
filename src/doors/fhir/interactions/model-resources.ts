import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';

/** Types that have resources of the models, which are there before any client wrote one. */
const TYPES: readonly string[] = ['Device', 'DocumentReference'];

/** The models of this installation among a tenant's resources. */
export abstract class ModelResources {
  /** Makes what is not there yet; from then on it costs nothing. */
  abstract show(transaction: TenantTransaction): Promise<void>;

  /** The same, before resources of this type are read. */
  async showFor(transaction: TenantTransaction, type: string): Promise<void> {
    if (TYPES.includes(type)) await this.show(transaction);
  }
}
