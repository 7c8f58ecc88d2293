import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { DeliveryControl, heldEndpoint, PLAIN_BODIES, sentAgain } from '../kit/index.js';
import { SystemStatements } from '../../platform/database/statements.js';
import type { EventNumbers } from './subscription-history.js';
import type { KeptSubscription } from './subscription.js';
import {
  SUBSCRIPTION_CHANNEL,
  SUBSCRIPTION_QUEUE,
  SubscriptionQueue,
  type NotificationColumns,
} from './subscription-queue.js';

/** Events by number and by the time at which they were written; all bounds included but `before`. */
export interface EventRange extends EventNumbers {
  readonly from: Date | null;
  readonly before: Date | null;
}

/** Outcome of a resend. */
export interface EventReplay {
  readonly sent: number;
  /** Skipped: the receiver has a newer version, which is not among them. */
  readonly heldBack: number;
}

/** Events of one request. */
export const MOST_SENT_AGAIN = 10_000;

/** Those that wait anyway are left out. */
const OF_RANGE = `select id from fhir_subscription_deliveries where subscription_id = $1 and type = 'event-notification' and state in ('delivered', 'parked')
  and number > $2 and ($3::bigint is null or number <= $3 + 1) and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
  order by number limit ${MOST_SENT_AGAIN}`;
const SEND = `with endpoint as (${heldEndpoint(SUBSCRIPTION_QUEUE, 3)}) update fhir_subscription_deliveries again set state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, parked_for = null,
    fault = null, status_code = null, duration_ms = null, answer = null, history = ${sentAgain(SUBSCRIPTION_QUEUE, '$4::text')}
  from endpoint where again.id = any($1::uuid[]) and state in ('delivered', 'parked') and ($2 or not exists (select from fhir_subscription_deliveries newer
    where newer.subscription_id = again.subscription_id and newer.subject_id = again.subject_id and newer.version > again.version
      and newer.state = 'delivered' and not newer.id = any($1::uuid[])))`;

/** What people do with single notifications or a range of them, over all tenants: callers' Subscriptions are looked up first. */
@Injectable()
export class SubscriptionControl extends DeliveryControl<NotificationColumns> {
  constructor(
    private readonly system: SystemStatements,
    unitOfWork: UnitOfWork,
    queue: SubscriptionQueue,
  ) {
    super(SUBSCRIPTION_QUEUE, system, unitOfWork, queue, PLAIN_BODIES);
  }

  /** Sends again, in their order and with their bytes, what was delivered or parked; 10,000 events at most. `by`: who does it. */
  async sendAgain(
    { id, request }: Pick<KeptSubscription, 'id' | 'request'>,
    by: string,
    { since, until, from, before }: EventRange,
  ): Promise<EventReplay> {
    const range = [id, Math.max(since, 1), until, from, before];
    const ids = (await this.system.run<{ id: string }>(OF_RANGE, range)).rows.map((row) => row.id);
    // Ids alone cannot overwrite anything: the receiver reads the newest version.
    const saysNoContent = request.channel.content !== 'full-resource';
    const { affected } = await this.system.run(SEND, [ids, saysNoContent, id, by]);
    if (affected > 0) await this.system.run('select pg_notify($1, $2)', [SUBSCRIPTION_CHANNEL, id]);
    return { sent: affected, heldBack: ids.length - affected };
  }
}
