import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  DeliveryFilter,
  EndpointFilter,
  EndpointTrial,
  ExitAttempt,
  ExitDelivery,
  ExitEndpoint,
  FoundDelivery,
} from '../../core/deliveries/delivery-exit.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { SubscriptionControl } from './subscription-control.js';
import { SubscriptionQueue } from './subscription-queue.js';
import { SubscriptionRegister } from './subscription-register.js';
import { SubscriptionTransport } from './subscription-transport.js';
import { errorOf, type KeptSubscription } from './subscription.js';

const COLUMNS = `id, subscription_id as "endpointId", organization_id as "organizationId", environment, type, state, attempts,
  coalesce(fault, case when state <> 'delivered' then status_code::text end) as fault, created_at as "createdAt",
  case when state = 'waiting' then next_at end as "nextAt", delivered_at as "deliveredAt"`;
const NAMED = `select ${COLUMNS} from fhir_subscription_deliveries where id = $1`;
const BODY = `select body from fhir_subscription_deliveries where id = $1`;
const LIST = `select ${COLUMNS} from fhir_subscription_deliveries where ($1::uuid is null or subscription_id = $1)
  and ($2::uuid is null or organization_id = $2) and ($3::text is null or environment = $3) and ($4::text is null or state = $4)
  order by id desc limit $5`;
const ATTEMPTS = `select at, delivered, status_code::text as answer, fault from fhir_subscription_attempts where delivery_id = $1 order by id`;
type Row = Omit<ExitDelivery, 'exit'>;

/** FHIR Subscriptions as operators see them. */
@Injectable()
export class SubscriptionExit implements DeliveryExit {
  readonly name = 'subscription';

  constructor(
    private readonly statements: SystemStatements,
    private readonly register: SubscriptionRegister,
    private readonly control: SubscriptionControl,
    private readonly queue: SubscriptionQueue,
    private readonly transport: SubscriptionTransport,
  ) {}

  async endpoint(id: string): Promise<ExitEndpoint | null> {
    const found = await this.register.findAnywhere(id);
    if (found === null) return null;
    return this.shown(found);
  }

  async endpoints(filter: EndpointFilter): Promise<ExitEndpoint[]> {
    return (await this.register.anywhere(filter)).map((subscription) => this.shown(subscription));
  }

  async named(id: string): Promise<ExitDelivery | null> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(NAMED, [id])).rows[0] : undefined;
    return row === undefined ? null : { exit: this.name, ...row };
  }

  async find(id: string): Promise<FoundDelivery | null> {
    const delivery = await this.named(id);
    if (delivery === null) return null;
    const { rows } = await this.statements.run<{ body: Buffer }>(BODY, [id]);
    const log = (await this.statements.run<ExitAttempt>(ATTEMPTS, [id])).rows;
    return { delivery, body: rows[0]?.body.toString('utf8') ?? '', log };
  }

  async list(
    { endpointId, organizationId, environment, state }: DeliveryFilter,
    limit: number,
  ): Promise<ExitDelivery[]> {
    if ([endpointId, organizationId].some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    const wanted = [endpointId, organizationId, environment, state].map((value) => value ?? null);
    return (await this.statements.run<Row>(LIST, [...wanted, limit])).rows.map((row) => ({ exit: this.name, ...row }));
  }

  replay({ id, state }: ExitDelivery): Promise<void> {
    return state === 'parked' ? this.control.requeue(id) : this.control.replay(id);
  }

  async replayRange({ id }: ExitEndpoint, from: Date, before: Date | null): Promise<number> {
    const subscription = await this.register.findAnywhere(id);
    if (subscription === null) return 0;
    const all = { since: 1, until: null };
    return (await this.control.sendAgain(subscription, { ...all, from, before })).sent;
  }

  park({ id }: ExitDelivery): Promise<void> {
    return this.control.park(id);
  }

  discard({ id }: ExitDelivery): Promise<void> {
    return this.control.discard(id);
  }

  pause({ id }: ExitEndpoint): Promise<void> {
    return this.register.pause(id);
  }

  resume({ id }: ExitEndpoint): Promise<void> {
    return this.register.resume(id);
  }

  /** Sends a handshake, past the queue. */
  async test({ id }: ExitEndpoint): Promise<EndpointTrial> {
    const subscription = await this.register.findAnywhere(id);
    if (subscription === null) return { reached: false, said: 'deleted' };
    const { reached, said } = await this.transport.try(subscription, this.queue.handshakeOf(subscription));
    return { reached, said };
  }

  private shown(found: KeptSubscription): ExitEndpoint {
    const { id, organizationId, environment, request } = found;
    const trouble = errorOf(found);
    const owned = { id, organizationId, environment, exit: this.name, address: request.channel.endpoint };
    return { ...owned, state: stateOf(found), ...(trouble === null ? {} : { trouble }) };
  }
}

function stateOf({ isPaused, disabled }: KeptSubscription): ExitEndpoint['state'] {
  if (disabled !== null) return 'disabled';
  return isPaused ? 'paused' : 'active';
}
