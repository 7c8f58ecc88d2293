import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { HeldActor, HeldCount, HeldItem, HeldReason, HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import { HeldSource, type HeldPage } from './held-source.js';

/** What waits in rows of `HeldItems`. Once one is settled, `held.settled` tells the door that keeps what came. */
export abstract class KeptHeldSource extends HeldSource {
  protected constructor(
    readonly reasons: readonly HeldReason[],
    private readonly kept: { readonly items: HeldItems; readonly outbox: Outbox },
  ) {
    super();
  }

  open(transaction: TenantTransaction, page: HeldPage): Promise<readonly HeldItem[]> {
    return this.kept.items.open(transaction, this.reasons, page);
  }

  find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    return this.kept.items.find(transaction, this.reasons, id);
  }

  count(transaction: SystemTransaction): Promise<readonly HeldCount[]> {
    return this.kept.items.count(transaction, this.reasons);
  }

  /** `held.not_found` where another was quicker. */
  protected async settle(
    transaction: TenantTransaction,
    itemId: string,
    resolution: HeldResolution,
    actor: HeldActor,
  ): Promise<void> {
    if (!(await this.kept.items.settle(transaction, itemId, resolution, actor)))
      throw new SuturaError('held.not_found');
    await this.kept.outbox.append(transaction, { kind: 'held.settled', subjectId: itemId });
  }
}

/** `request.invalid` where a decision has a field that is for other actions. */
export function refuseFields({ authority, to }: HeldResolution): void {
  const pointer = authority !== undefined ? '/authority' : to === undefined ? null : '/to';
  if (pointer !== null)
    throw new SuturaError('request.invalid', { errors: [{ pointer, detail: 'is not for this action' }] });
}
