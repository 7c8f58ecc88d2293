import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { SubmissionCheck } from '../interactions/submission-check.js';
import { informationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { PAYLOAD_CONTENTS, type PayloadContent } from '../../../exits/subscriptions/notification-bundle.js';
import {
  MOST_SENT_AGAIN,
  SubscriptionControl,
  type EventReplay,
} from '../../../exits/subscriptions/subscription-control.js';
import { SubscriptionHistory, type EventNumbers } from '../../../exits/subscriptions/subscription-history.js';
import { SubscriptionRegister } from '../../../exits/subscriptions/subscription-register.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { readParameters, requireKnown } from './subscription-parameters.js';
import { permitSubscription, permitTopic } from './subscription-permission.js';
import { SubscriptionStateOperation } from './subscription-state.operation.js';

type OperationAddress = Extract<FhirAddress, { readonly kind: 'operation' }>;

const READS = ['GET', 'HEAD', 'POST'];
/** R4: an operation that changes something is not called by GET. */
const METHODS: Readonly<Record<string, readonly string[]>> = { status: READS, events: READS, resend: ['POST'] };
const NUMBER = /^\d{1,15}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Methods of an operation of Subscription; empty where there is none of this name and level. */
export function methodsOfOperation({ name, id }: OperationAddress): readonly string[] {
  if (id === null && name !== 'status') return [];
  return Object.hasOwn(METHODS, name) ? METHODS[name]! : [];
}

/** `$status`, `$events` and `$resend` of the R4 backport guide. */
@Injectable()
export class SubscriptionOperations {
  constructor(
    private readonly statuses: SubscriptionStateOperation,
    private readonly register: SubscriptionRegister,
    private readonly history: SubscriptionHistory,
    private readonly control: SubscriptionControl,
    private readonly check: SubmissionCheck,
    private readonly calls: AuditedCalls,
  ) {}

  /** `auth.scope`, `fhir.not_found`, `request.invalid`. */
  answer(exchange: FhirExchange, { name, id }: OperationAddress): Promise<HttpAnswer> {
    if (name === 'status') return this.statuses.answer(exchange, id);
    if (id === null) throw new SuturaError('route.not_found');
    return name === 'events' ? this.events(exchange, id) : this.resend(exchange, id);
  }

  /** Past and pending events from a number on. Whole resources are audited as read. */
  private async events(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    const { caller, form } = exchange;
    permitSubscription(caller, 'r');
    const sent = await readParameters(exchange, this.check);
    requireKnown(sent, ['eventsSinceNumber', 'eventsUntilNumber', 'content']);
    const numbers = numbersOf(sent);
    const hint = contentOf(sent);
    return this.calls.run(exchange, async (call) => {
      const subscription = await this.register.find(call.transaction, id);
      permitTopic(caller, subscription.request.topic.resourceType);
      const bundle = await this.history.events(call.transaction, subscription, numbers, hint);
      const resources = (bundle.entry ?? []).slice(1).flatMap(({ resource }) => resource ?? []);
      await this.calls.record(call, '$events', {
        resources,
        references: [`Subscription/${id}`],
      });
      return { status: 200, headers: form.headers, body: form.textOf(bundle) };
    });
  }

  /** Asynchronous: the events are sent in order, with their ids. */
  private async resend(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    const { caller, form } = exchange;
    permitSubscription(caller, 'u');
    const sent = await readParameters(exchange, this.check);
    requireKnown(sent, ['eventsSinceNumber', 'eventsUntilNumber', 'eventsSinceInstant', 'eventsUntilInstant']);
    const until = instantOf(sent, 'eventsUntilInstant');
    const range = {
      ...numbersOf(sent),
      from: instantOf(sent, 'eventsSinceInstant'),
      // The last instant is included.
      before: until === null ? null : new Date(until.getTime() + 1),
    };
    const subscription = await this.calls.run(exchange, async (call) => {
      const found = await this.register.find(call.transaction, id);
      permitTopic(caller, found.request.topic.resourceType);
      await this.calls.record(call, '$resend', { references: [`Subscription/${id}`] });
      return found;
    });
    const outcome = informationOutcome(saidOf(await this.control.sendAgain(subscription, caller.keyId, range)));
    return { status: 200, headers: form.headers, body: form.textOf(outcome) };
  }
}

function numbersOf(sent: URLSearchParams): EventNumbers {
  return { since: numberOf(sent, 'eventsSinceNumber') ?? 1, until: numberOf(sent, 'eventsUntilNumber') };
}

function numberOf(sent: URLSearchParams, name: string): number | null {
  const text = sent.get(name);
  if (text === null) return null;
  if (!NUMBER.test(text)) throw invalidInput(`/query/${name}`, 'is no number of an event');
  return Number(text);
}

function instantOf(sent: URLSearchParams, name: string): Date | null {
  const text = sent.get(name);
  if (text === null) return null;
  const date = new Date(text);
  if (!INSTANT.test(text) || Number.isNaN(date.getTime()))
    throw invalidInput(`/query/${name}`, 'is no instant, such as 2026-01-31T12:00:00Z');
  return date;
}

function contentOf(sent: URLSearchParams): PayloadContent | null {
  const text = sent.get('content');
  if (text === null) return null;
  const content = PAYLOAD_CONTENTS.find((known) => known === text);
  if (content === undefined) throw invalidInput('/query/content', `is one of ${PAYLOAD_CONTENTS.join(', ')}`);
  return content;
}

function saidOf({ sent, heldBack }: EventReplay): string {
  const said =
    sent + heldBack === MOST_SENT_AGAIN
      ? `${sent} events are sent again: more than ${MOST_SENT_AGAIN} are not in one request, so ask for those behind them next.`
      : `${sent} event${sent === 1 ? ' is' : 's are'} sent again. Those that wait anyhow are not counted.`;
  if (heldBack === 0) return said;
  return `${said} ${heldBack} ${heldBack === 1 ? 'is' : 'are'} held back, since the endpoint has newer versions of the same resources; $events shows them.`;
}
