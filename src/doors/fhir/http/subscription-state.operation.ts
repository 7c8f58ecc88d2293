import type { Parameters } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { toStatus } from '../../../exits/subscriptions/notification-bundle.js';
import { SubscriptionRegister } from '../../../exits/subscriptions/subscription-register.js';
import { errorOf, statusOf, type KeptSubscription } from '../../../exits/subscriptions/subscription.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { SubmissionCheck } from '../interactions/submission-check.js';
import type { FhirExchange } from './fhir-exchange.js';
import { readParameters } from './subscription-parameters.js';
import { permitSubscription } from './subscription-permission.js';
import { searchsetAnswer } from './subscription-searchset.js';

/** `$status` of the R4 backport guide. */
@Injectable()
export class SubscriptionStateOperation {
  constructor(
    private readonly register: SubscriptionRegister,
    private readonly check: SubmissionCheck,
    private readonly calls: AuditedCalls,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Of one Subscription, or of those that `id` and `status` name; of all without them. */
  async answer(exchange: FhirExchange, id: string | null): Promise<HttpAnswer> {
    permitSubscription(exchange.caller, 'r');
    const query = await readParameters(exchange, this.check);
    const ids = id === null ? query.getAll('id').map((one) => one.replace(/^Subscription\//, '')) : [id];
    const states = query.getAll('status');
    return this.calls.run(exchange, async (call) => {
      const all =
        id === null ? await this.register.list(call.transaction) : [await this.register.find(call.transaction, id)];
      const now = this.clock.now();
      const found = all.filter(
        (one) =>
          (ids.length === 0 || ids.includes(one.id)) && (states.length === 0 || states.includes(statusOf(one, now))),
      );
      const references = found.map((one) => `Subscription/${one.id}`);
      await this.calls.record(call, '$status', { references });
      const views = found.map((one) => this.statusView(one, now));
      return searchsetAnswer(exchange, this.ids.next(), views);
    });
  }

  private statusView(subscription: KeptSubscription, now: Date): Parameters {
    const { id, base, request, facts } = subscription;
    return toStatus(
      {
        subscriptionId: id,
        base,
        topic: request.topic.url,
        content: request.channel.content,
        status: statusOf(subscription, now),
        type: 'query-status',
        events: [],
        eventsSinceStart: facts.eventsSinceStart,
        error: errorOf(subscription),
      },
      this.ids.next(),
    );
  }
}
