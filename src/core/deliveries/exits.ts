import { SuturaError } from '../errors/sutura-error.js';
import type {
  DeliveryExit,
  DeliveryFilter,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
  FoundDelivery,
} from './delivery-exit.js';

/** All exits as one: deliveries and endpoints by their ids, whichever exit has them. */
export class Exits {
  constructor(private readonly exits: readonly DeliveryExit[]) {}

  /** Newest first. `delivery.endpoint_not_found` where the filter names none. */
  async list(filter: DeliveryFilter, limit: number): Promise<ExitDelivery[]> {
    const exits = filter.endpointId === undefined ? this.exits : [(await this.ownerOf(filter.endpointId)).exit];
    const found = await Promise.all(exits.map((exit) => exit.list(filter, limit)));
    return found
      .flat()
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, limit);
  }

  /** Of every exit, or of the one of that name; oldest first within each. */
  async endpoints(filter: EndpointFilter, name?: string): Promise<ExitEndpoint[]> {
    const exits = this.exits.filter((exit) => name === undefined || exit.name === name);
    return (await Promise.all(exits.map((exit) => exit.endpoints(filter)))).flat();
  }

  /** `delivery.endpoint_not_found`. */
  async endpoint(id: string): Promise<ExitEndpoint> {
    return (await this.ownerOf(id)).endpoint;
  }

  /** `delivery.not_found`. */
  async named(id: string): Promise<ExitDelivery> {
    return (await this.keeperOf(id)).delivery;
  }

  /** `delivery.not_found`; the exit's own error where no key opens it. */
  async show(id: string): Promise<FoundDelivery> {
    const { exit } = await this.keeperOf(id);
    const found = await exit.find(id);
    if (found === null) throw new SuturaError('delivery.not_found');
    return found;
  }

  /** `delivery.not_found`, and what the exit refuses it with. */
  async act(what: 'replay' | 'park' | 'discard', id: string, by: string): Promise<void> {
    const { exit, delivery } = await this.keeperOf(id);
    await exit[what](delivery, by);
  }

  /** Sends a parked one again as one of many, as long as no attempt was made since it had so many; answers as `DeliveryExit.requeue`. `delivery.not_found`, and what the exit refuses it with. */
  async requeue(id: string, attempts: number, by: string): Promise<string | null> {
    const { exit, delivery } = await this.keeperOf(id);
    return exit.requeue({ ...delivery, attempts }, by);
  }

  /** Sends again what was made in that time; answers how many. `delivery.endpoint_not_found`. */
  async replayRange(endpointId: string, by: string, since: Date, until: Date | null): Promise<number> {
    const { exit, endpoint } = await this.ownerOf(endpointId);
    return exit.replayRange(endpoint, by, since, until);
  }

  /** `delivery.endpoint_not_found`. */
  async switch(what: 'pause' | 'resume', endpointId: string): Promise<ExitEndpoint> {
    const { exit, endpoint } = await this.ownerOf(endpointId);
    await exit[what](endpoint);
    return this.endpoint(endpointId);
  }

  /** `delivery.endpoint_not_found`. */
  async test(endpointId: string): Promise<EndpointTrial> {
    const { exit, endpoint } = await this.ownerOf(endpointId);
    return exit.test(endpoint);
  }

  private async ownerOf(endpointId: string): Promise<{ readonly exit: DeliveryExit; readonly endpoint: ExitEndpoint }> {
    for (const exit of this.exits) {
      const endpoint = await exit.endpoint(endpointId);
      if (endpoint !== null) return { exit, endpoint };
    }
    throw new SuturaError('delivery.endpoint_not_found');
  }

  private async keeperOf(
    deliveryId: string,
  ): Promise<{ readonly exit: DeliveryExit; readonly delivery: ExitDelivery }> {
    for (const exit of this.exits) {
      const delivery = await exit.named(deliveryId);
      if (delivery !== null) return { exit, delivery };
    }
    throw new SuturaError('delivery.not_found');
  }
}
