import type { Subscription } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { toSecretText } from '../../../exits/http/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { SUTURA } from '../../../reports/index.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { FhirCall } from '../call/fhir-call.js';
import { requireMatch, validatorsOf } from '../call/preconditions.js';
import { criteriaIn, criteriaRefused } from '../interactions/choosing-criteria.js';
import { IF_NONE_EXIST } from '../interactions/criteria-match.js';
import { SubmissionCheck } from '../interactions/submission-check.js';
import { SubscriptionService } from '../../../exits/subscriptions/subscription-service.js';
import { statusOf, toResource, type KeptSubscription } from '../../../exits/subscriptions/subscription.js';
import { NO_STORE } from './answer-form.js';
import { queryWithForm, readSent } from './body-reading.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireBodyType } from './negotiation.js';
import { methodsOfOperation, SubscriptionOperations } from './subscription-operations.js';
import { permitSubscription, permitTopic } from './subscription-permission.js';
import { searchsetAnswer } from './subscription-searchset.js';

/** Shown once, in the answer to the create: the key of the signatures. */
export const SECRET_EXTENSION = `${SUTURA}/StructureDefinition/subscription-signing-secret`;
const OF_THE_DOOR = ['_format', '_pretty'];
const OF_A_PAGE = ['_count', '_after'];

const METHODS: Readonly<Partial<Record<FhirAddress['kind'], readonly string[]>>> = {
  type: ['GET', 'HEAD', 'POST'],
  search: ['GET', 'HEAD', 'POST'],
  instance: ['DELETE', 'GET', 'HEAD', 'PUT'],
};

/** Methods of an address of Subscription; empty where there is no such address. */
export function methodsOfSubscription(address: FhirAddress): readonly string[] {
  if (address.kind === 'operation') return methodsOfOperation(address);
  return METHODS[address.kind] ?? [];
}

/** Subscription: stored in a table of its own, and deletable. */
@Injectable()
export class SubscriptionRoutes {
  constructor(
    private readonly subscriptions: SubscriptionService,
    private readonly operations: SubscriptionOperations,
    private readonly check: SubmissionCheck,
    private readonly calls: AuditedCalls,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** `auth.scope`, `fhir.not_found`, `fhir.version_conflict`, `fhir.business_rule`, and those of a resource that is sent. */
  async answer(exchange: FhirExchange, address: FhirAddress): Promise<HttpAnswer> {
    const { method } = exchange;
    if (address.kind === 'operation') return this.operations.answer(exchange, address);
    if (address.kind === 'instance') {
      if (method === 'PUT') return this.update(exchange, address.id);
      return method === 'DELETE' ? this.delete(exchange, address.id) : this.read(exchange, address.id);
    }
    return address.kind === 'type' && method === 'POST' ? this.create(exchange) : this.search(exchange);
  }

  private async create(exchange: FhirExchange): Promise<HttpAnswer> {
    permitSubscription(exchange.caller, 'c');
    const { sent, request } = await this.asked(exchange);
    const wants = this.conditionOf(exchange);
    return this.calls.run(exchange, async (call) => {
      const present = wants === null ? null : await this.matching(call, wants);
      if (present !== null) return this.matched(exchange, call, present);
      const made = await this.subscriptions.create(call.transaction, sent, request, exchange.base);
      const resource = toResource(made, this.clock.now());
      await this.calls.record(call, 'create', { resources: [resource] });
      const secret = { url: SECRET_EXTENSION, valueString: toSecretText(made.secret) };
      const shown = { ...resource, extension: [...(resource.extension ?? []), secret] };
      const location = `${exchange.base}/Subscription/${made.id}`;
      return this.rendered(exchange, 201, made, shown, { location });
    });
  }

  /** `If-None-Exist`, or criteria in the address; null: none. `request.invalid`, `fhir.search`. */
  private conditionOf({ conditions, query, base, caller }: FhirExchange): Wanted | null {
    const criteria = [...query].filter(([name]) => !OF_THE_DOOR.includes(name));
    const written = conditions.ifNoneExist ?? new URLSearchParams(criteria).toString();
    if (conditions.ifNoneExist === undefined && criteria.length === 0) return null;
    permitSubscription(caller, 's');
    const asked = new URLSearchParams(criteriaIn(written, 'Subscription', base, IF_NONE_EXIST).replace(/^\?/, ''));
    if (asked.size === 0) throw criteriaRefused(IF_NONE_EXIST, 'Name at least one parameter.');
    return readCriteria(asked);
  }

  /** Of two callers with the same criteria the second finds what the first made. `fhir.multiple_matches`. */
  private async matching({ transaction }: FhirCall, wants: Wanted): Promise<KeptSubscription | null> {
    await this.subscriptions.register.alone(transaction);
    const now = this.clock.now();
    const [found, another] = (await this.subscriptions.register.list(transaction)).filter((one) => wants(one, now));
    if (another !== undefined) throw new SuturaError('fhir.multiple_matches');
    return found ?? null;
  }

  private async matched(exchange: FhirExchange, call: FhirCall, present: KeptSubscription): Promise<HttpAnswer> {
    const resource = toResource(present, this.clock.now());
    await this.calls.record(call, 'create', { resources: [resource] });
    return this.rendered(exchange, 200, present, resource, {
      location: `${exchange.base}/Subscription/${present.id}`,
    });
  }

  private async update(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    permitSubscription(exchange.caller, 'u');
    const { sent, request } = await this.asked(exchange);
    if (sent.id !== id) throw invalidInput('/id', 'is not the id of the address');
    return this.calls.run(exchange, async (call) => {
      const current = await this.subscriptions.register.findForUpdate(call.transaction, id);
      requireMatch(exchange.conditions.ifMatch, current.version, false);
      const changed = await this.subscriptions.change(call.transaction, current, sent, request, exchange.base);
      const resource = toResource(changed, this.clock.now());
      await this.calls.record(call, 'update', { resources: [resource] });
      return this.rendered(exchange, 200, changed, resource);
    });
  }

  private async asked(exchange: FhirExchange) {
    const { caller, base } = exchange;
    requireBodyType(namedTypeOf(exchange.request), 'resource');
    const sent = (await this.check.valid(caller, 'Subscription', await readSent(exchange))) as Subscription;
    const request = await this.subscriptions.read(sent, base, caller.organizationId);
    permitTopic(caller, request.topic.resourceType);
    return { sent, request };
  }

  private async read(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    permitSubscription(exchange.caller, 'r');
    return this.calls.run(exchange, async (call) => {
      const found = await this.subscriptions.register.find(call.transaction, id);
      const resource = toResource(found, this.clock.now());
      await this.calls.record(call, 'read', { resources: [resource] });
      return this.rendered(exchange, 200, found, resource);
    });
  }

  private async delete(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    // Who may change a Subscription may turn it off as well.
    permitSubscription(exchange.caller, 'u');
    return this.calls.run(exchange, async (call) => {
      const found = await this.subscriptions.register.findForUpdate(call.transaction, id);
      requireMatch(exchange.conditions.ifMatch, found.version, false);
      await this.subscriptions.register.delete(call.transaction, id);
      await this.calls.record(call, 'delete', { references: [`Subscription/${id}`] });
      return { status: 204, headers: NO_STORE, body: null };
    });
  }

  private async search(exchange: FhirExchange): Promise<HttpAnswer> {
    permitSubscription(exchange.caller, 's');
    const query = await queryWithForm(exchange);
    const wants = readCriteria(query);
    return this.calls.run(exchange, async (call) => {
      const now = this.clock.now();
      const all = await this.subscriptions.register.list(call.transaction);
      const matching = all.filter((one) => wants(one, now)).map((one) => toResource(one, now));
      const { found, next } = pageOf(matching, query);
      await this.calls.record(call, 'search-type', {
        resources: found,
        query: `Subscription?${query.toString()}`,
      });
      return searchsetAnswer(exchange, this.ids.next(), found, { total: matching.length, next });
    });
  }

  private rendered(
    { form }: FhirExchange,
    status: number,
    { version, updatedAt }: KeptSubscription,
    shown: Subscription,
    headers: Readonly<Record<string, string>> = {},
  ): HttpAnswer {
    const validators = validatorsOf(version, updatedAt);
    return { status, headers: { ...form.headers, ...validators, ...headers }, body: form.textOf(shown) };
  }
}

interface SubscriptionPage {
  readonly found: readonly Subscription[];
  /** Query of the next page; null: this is the last. */
  readonly next: string | null;
}

/** At most `_count` of them, behind the one that `_after` names. `request.invalid`. */
function pageOf(all: readonly Subscription[], query: URLSearchParams): SubscriptionPage {
  const asked = query.get('_count') ?? String(all.length);
  if (!/^\d{1,6}$/.test(asked)) throw invalidInput('/query/_count', 'is no number of Subscriptions');
  const count = Number(asked);
  const from = all.findIndex(({ id }) => id === query.get('_after')) + 1;
  const found = all.slice(from, from + count);
  if (count === 0 || from + count >= all.length) return { found, next: null };
  const next = new URLSearchParams(query);
  next.set('_after', found.at(-1)!.id!);
  return { found, next: next.toString() };
}

type Wanted = (subscription: KeptSubscription, now: Date) => boolean;

const CRITERIA: Readonly<Record<string, (values: readonly string[]) => Wanted>> = {
  _id:
    (values) =>
    ({ id }) =>
      values.includes(id),
  status: (values) => (subscription, now) =>
    values.some((value) => value.slice(value.indexOf('|') + 1) === statusOf(subscription, now)),
  url:
    (values) =>
    ({ request }) =>
      values.includes(request.channel.endpoint),
  criteria:
    (values) =>
    ({ asked }) =>
      values.some((value) => asked.criteria.startsWith(value)),
};

/** `request.invalid` for a parameter that is not served: its match would say something else than was asked. */
function readCriteria(query: URLSearchParams): Wanted {
  const wanted = [...query].flatMap(([name, value]) => {
    if (OF_THE_DOOR.includes(name) || OF_A_PAGE.includes(name)) return [];
    const [bare = '', modifier] = name.split(':');
    // Each of them is always there.
    if (modifier === 'missing' && Object.hasOwn(CRITERIA, bare)) return [() => value === 'false'];
    const criterion = Object.hasOwn(CRITERIA, name) ? CRITERIA[name] : undefined;
    if (criterion === undefined)
      throw invalidInput(`/query/${name}`, `is not served. Search by ${Object.keys(CRITERIA).join(', ')}`);
    return [criterion(value.split(','))];
  });
  return (subscription, now) => wanted.every((meets) => meets(subscription, now));
}
