import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
} from '../../core/deliveries/delivery-exit.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { HttpExitDeliveries } from '../http/index.js';
import { SubscriptionControl } from './subscription-control.js';
import { SUBSCRIPTION_QUEUE, SubscriptionQueue } from './subscription-queue.js';
import { SubscriptionRegister } from './subscription-register.js';
import { SubscriptionTransport } from './subscription-transport.js';
import { errorOf, type KeptSubscription } from './subscription.js';

/** FHIR Subscriptions as operators see them. */
@Injectable()
export class SubscriptionExit extends HttpExitDeliveries implements DeliveryExit {
  constructor(
    statements: SystemStatements,
    private readonly register: SubscriptionRegister,
    private readonly control: SubscriptionControl,
    private readonly queue: SubscriptionQueue,
    private readonly transport: SubscriptionTransport,
  ) {
    super('subscription', SUBSCRIPTION_QUEUE, statements);
  }

  async endpoint(id: string): Promise<ExitEndpoint | null> {
    const found = await this.register.findAnywhere(id);
    if (found === null) return null;
    return this.shown(found);
  }

  async endpoints(filter: EndpointFilter): Promise<ExitEndpoint[]> {
    return (await this.register.anywhere(filter)).map((subscription) => this.shown(subscription));
  }

  replay({ id, state }: ExitDelivery, by: string): Promise<void> {
    return state === 'parked' ? this.control.requeue(id, by) : this.control.replay(id, by);
  }

  async requeue(delivery: ExitDelivery, by: string): Promise<null> {
    await this.control.requeueAsFound(delivery, by);
    return null;
  }

  async replayRange({ id }: ExitEndpoint, by: string, from: Date, before: Date | null): Promise<number> {
    const subscription = await this.register.findAnywhere(id);
    if (subscription === null) return 0;
    const all = { since: 1, until: null };
    return (await this.control.sendAgain(subscription, by, { ...all, from, before })).sent;
  }

  park({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.park(id, by);
  }

  discard({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.discard(id, by);
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
    const { reached, status, fault } = await this.transport.ping(subscription, this.queue.handshakeOf(subscription));
    return { reached, said: fault ?? String(status) };
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
