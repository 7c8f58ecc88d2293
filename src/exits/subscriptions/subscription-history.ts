import type { Bundle, Parameters } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import {
  PAYLOAD_CONTENTS,
  toNotification,
  type PayloadContent,
  type SubscriptionEvent,
} from './notification-bundle.js';
import { errorOf, statusOf, type KeptSubscription } from './subscription.js';

/** Most events of one answer; continue after the last number. */
export const MOST_EVENTS = 100;

/** Events by their numbers, both included. */
export interface EventNumbers {
  readonly since: number;
  /** null: to the last one. */
  readonly until: number | null;
}

/** The handshake has the number 1, so that an event's is one less than its row's. In whatever state it is: the event happened. */
const OF_NUMBERS = `select body from fhir_subscription_deliveries where subscription_id = $1 and type = 'event-notification'
  and number > $2 and ($3::bigint is null or number <= $3 + 1) order by number limit ${MOST_EVENTS}`;

/** Past and pending events of a subscription, as they were written. */
@Injectable()
export class SubscriptionHistory {
  constructor(
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * `$events`: a notification of the type `query-event`. It never says more than the subscription does; `hint` may ask for less. Numbers that
   * are not there were erased with their patient, or come with the next answer.
   */
  async events(
    transaction: TenantTransaction,
    subscription: KeptSubscription,
    { since, until }: EventNumbers,
    hint: PayloadContent | null,
  ): Promise<Bundle> {
    const { rows } = await statementsOf(transaction).run<{ body: Buffer }>(OF_NUMBERS, [
      subscription.id,
      Math.max(since, 1),
      until,
    ]);
    const now = this.clock.now();
    const { id, base, request, facts } = subscription;
    return toNotification(
      {
        subscriptionId: id,
        base,
        topic: request.topic.url,
        content: lesser(request.channel.content, hint),
        status: statusOf(subscription, now),
        type: 'query-event',
        error: errorOf(subscription),
        eventsSinceStart: facts.eventsSinceStart,
        events: rows.map(({ body }) => eventOf(body)),
      },
      { bundleId: this.ids.next(), statusId: this.ids.next(), timestamp: now },
    );
  }
}

function lesser(content: PayloadContent, hint: PayloadContent | null): PayloadContent {
  const known = PAYLOAD_CONTENTS.indexOf(content);
  return PAYLOAD_CONTENTS[hint === null ? known : Math.min(known, PAYLOAD_CONTENTS.indexOf(hint))]!;
}

/** The one event of a notification that was kept. An `empty` one has no focus. */
function eventOf(body: Buffer): SubscriptionEvent {
  const { entry = [] } = JSON.parse(body.toString('utf8')) as Bundle;
  const status = entry[0]?.resource as Parameters;
  const part = status.parameter?.find(({ name }) => name === 'notification-event')?.part ?? [];
  const said = (name: string) => part.find((one) => one.name === name);
  const [, focused, ...included] = entry;
  return {
    number: Number(said('event-number')?.valueString),
    occurredAt: new Date(said('timestamp')!.valueInstant!),
    focus: focused?.fullUrl?.split('/').slice(-2).join('/') ?? '',
    isFirstVersion: focused?.request?.method === 'POST',
    resource: focused?.resource ?? null,
    included: included.flatMap(({ resource }) => resource ?? []),
  };
}
