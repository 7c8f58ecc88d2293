import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { INBOUND_CHANNEL } from './inbound-store.js';

const RELEASE = `update hl7_inbound set state = 'received', retryable = false, attempts = 0, replays = replays + 1, lease_token = null, lease_until = sutura_now(), processed_at = null
  where held_item = $1 and state = 'held'`;
/** A resend gets the answer of before. */
const DISCARD = `update hl7_inbound set state = 'discarded' where held_item = $1 and state = 'held'`;
const HAS_EARLIER = `select exists (select from hl7_inbound where organization_id = $1 and environment = $2 and held_item = $3 and state in ('held', 'received')
  and id <> $4 and sequence < (select sequence from hl7_inbound where id = $4)) as found`;

const AWAITED_BEFORE = `select item.id from held_items item where item.organization_id = $1 and item.environment = $2 and item.key = $3 and item.reason = 'patient_unknown'
  and exists (select from hl7_inbound earlier where earlier.organization_id = $1 and earlier.environment = $2 and earlier.held_item = item.id and earlier.state in ('held', 'received')
    and earlier.id <> $4 and earlier.sequence < (select sequence from hl7_inbound where id = $4)) order by item.since limit 1`;

/** Messages that wait for what a person decides about an item of the list. */
@Injectable()
export class HeldMessages {
  constructor(private readonly statements: SystemStatements) {}

  /** Has running gateways process them, in the order of their receipt. */
  async release(itemId: string): Promise<void> {
    if ((await this.statements.run(RELEASE, [itemId])).affected > 0)
      await this.statements.run('select pg_notify($1, $2)', [INBOUND_CHANNEL, '']);
  }

  /** Nothing of them is ever filed. */
  async discard(itemId: string): Promise<void> {
    await this.statements.run(DISCARD, [itemId]);
  }

  /** The item by which messages about these numbers waited for their patient that came before this one and are still to be worked off; null: none. */
  async awaitedBefore(transaction: TenantTransaction, key: Uint8Array, messageId: string): Promise<string | null> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, Buffer.from(key), messageId];
    return (await statementsOf(transaction).run<{ id: string }>(AWAITED_BEFORE, values)).rows[0]?.id ?? null;
  }

  /** Whether messages of the item that came before this one are still to be worked off. */
  async hasEarlier(transaction: TenantTransaction, itemId: string, messageId: string): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, itemId, messageId];
    return (await statementsOf(transaction).run<{ found: boolean }>(HAS_EARLIER, values)).rows[0]?.found === true;
  }
}
