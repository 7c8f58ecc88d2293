import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { INBOUND_CHANNEL } from './inbound-store.js';

/** Of a patient who has come by all that waited for them at once: of two items, one would overtake the other. */
const RELEASE = `update hl7_inbound set state = 'received', retryable = false, attempts = 0, replays = replays + 1, lease_token = null, lease_until = sutura_now(), processed_at = null
  where state = 'held' and held_item = any (array(select $1::uuid union select other.id from held_items item
    join held_items other on other.organization_id = item.organization_id and other.environment = item.environment and other.reason = 'patient_unknown'
      and (other.came -> 'patientIds') ?| array(select jsonb_array_elements_text(item.came -> 'patientIds'))
      and other.settled_at is not null and other.resolution ->> 'action' <> 'discard'
    where item.id = $1 and item.reason = 'patient_unknown'))`;
/** A resend gets the answer of before. */
const DISCARD = `update hl7_inbound set state = 'discarded' where held_item = $1 and state = 'held'`;
const HAS_EARLIER = `select exists (select from hl7_inbound where organization_id = $1 and environment = $2 and held_item = $3 and state in ('held', 'received')
  and id <> $4 and sequence < (select sequence from hl7_inbound where id = $4)) as found`;

const BEFORE = `select earlier.held_item as id from hl7_inbound earlier where earlier.organization_id = $1 and earlier.environment = $2 and earlier.held_item = any ($3::uuid[])
  and earlier.state in ('held', 'received') and earlier.id <> $4 and earlier.sequence < (select sequence from hl7_inbound where id = $4) order by earlier.sequence limit 1`;

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

  /** That of these items whose messages came before this one and are still to be worked off, by the first of them; null: none. */
  async before(transaction: TenantTransaction, itemIds: readonly string[], messageId: string): Promise<string | null> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, [...itemIds], messageId];
    return (await statementsOf(transaction).run<{ id: string }>(BEFORE, values)).rows[0]?.id ?? null;
  }

  /** Whether messages of the item that came before this one are still to be worked off. */
  async hasEarlier(transaction: TenantTransaction, itemId: string, messageId: string): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, itemId, messageId];
    return (await statementsOf(transaction).run<{ found: boolean }>(HAS_EARLIER, values)).rows[0]?.found === true;
  }
}
