import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { ListenerRepository, ServedListeners, type Hl7Listener } from '../inbox/index.js';
import { DestinationRegister, DestinationRemoval, DestinationTest, readdress, type Hl7Destination, type LineReport, type QueueChoice, type RemovedQueue } from '../outbound/index.js';
import type { DestinationChangeWish, ListenerChangeWish, NewDestination, NewListener } from './hl7.schema.js';
import { toDestinationView, toListenerView, type DestinationView, type ListenerView } from './hl7.views.js';
import { Hl7OperatorTrail, type OperatorAct } from './hl7-operator-trail.js';

/** Listeners and destinations in the words of the admin API and the command line: checked input in, views out. Changes are written into the audit trail. */
@Injectable()
export class PeerDesk {
  constructor(
    private readonly listeners: ListenerRepository,
    private readonly served: ServedListeners,
    private readonly destinations: DestinationRegister,
    private readonly removal: DestinationRemoval,
    private readonly test: DestinationTest,
    private readonly trail: Hl7OperatorTrail,
  ) {}

  /** Running gateways serve it within 5 s. `organization.not_found`, `hl7.name_taken`, `hl7.port_taken`. */
  async createListener({ name, settings, ...tenant }: NewListener): Promise<ListenerView> {
    const made = await this.listeners.create(tenant, name, settings);
    await this.writeDown(made, 'create', 'C');
    return this.shown(made);
  }

  async listListeners(organizationId: string | null): Promise<ListenerView[]> {
    const standings = await this.served.standings();
    return (await this.listeners.list(organizationId)).map((listener) => toListenerView(listener, standings.get(listener.id) ?? null));
  }

  /** `hl7.listener_not_found`. */
  async listener(id: string): Promise<ListenerView> {
    return this.shown(await this.listeners.standing(id));
  }

  /** Followed within 5 s. `hl7.listener_not_found`, `hl7.name_taken`, `hl7.port_taken`, `request.invalid`. */
  async changeListener(id: string, change: ListenerChangeWish): Promise<ListenerView> {
    const changed = await this.listeners.change(id, change);
    await this.writeDown(changed, interactionOf(change), 'U');
    return this.shown(changed);
  }

  /** Closed within 5 s, messages in work are answered. `hl7.listener_not_found`. */
  async deleteListener(id: string): Promise<void> {
    await this.writeDown(await this.listeners.standing(id), 'delete', 'D');
    await this.listeners.delete(id);
  }

  /** Running gateways send to it within 5 s. `organization.not_found`, `hl7.name_taken`. */
  async createDestination({ name, settings, ...tenant }: NewDestination): Promise<DestinationView> {
    await this.listeners.requireOrganization(tenant.organizationId);
    const made = await this.destinations.create(tenant, name, settings);
    await this.writeDown(made, 'create', 'C');
    return toDestinationView(made);
  }

  async listDestinations(organizationId: string | null): Promise<DestinationView[]> {
    const all = await this.destinations.all();
    return all.filter((one) => organizationId === null || one.organizationId === organizationId).map(toDestinationView);
  }

  /** `hl7.destination_not_found`. */
  async destination(id: string): Promise<DestinationView> {
    return toDestinationView(await this.destinations.find(id));
  }

  /** What waits goes where it points now, with the bytes that it has. `hl7.destination_not_found`, `hl7.name_taken`, `request.invalid`. */
  async changeDestination(id: string, change: DestinationChangeWish): Promise<DestinationView> {
    await this.writeDown(await this.destinations.find(id), interactionOf(change), 'U');
    return toDestinationView(await this.destinations.change(id, change));
  }

  /** Connects, hangs up, and says what was seen; nothing is sent. From the machine that it is called on. `hl7.destination_not_found`. */
  async testDestination(id: string): Promise<LineReport> {
    const destination = await this.destinations.find(id);
    await this.writeDown(destination, '$test', 'E');
    return this.test.run(destination);
  }

  /** Nothing is made for it or sent to it from here on. As DestinationRemoval.remove. */
  async deleteDestination(id: string, choice: QueueChoice | null): Promise<RemovedQueue> {
    await this.writeDown(await this.destinations.find(id), 'delete', 'D');
    return this.removal.remove(id, choice, readdress);
  }

  private async shown(listener: Hl7Listener): Promise<ListenerView> {
    return toListenerView(listener, (await this.served.standings()).get(listener.id) ?? null);
  }

  private writeDown({ id, ...tenant }: Tenant & Pick<Hl7Destination, 'id'>, interaction: string, action: OperatorAct['action']): Promise<void> {
    return this.trail.record(tenant, { interaction, action, resource: `Endpoint/${id}` });
  }
}

/** Nothing but a pause or its end is called so. */
function interactionOf({ name, settings, enabled }: DestinationChangeWish): string {
  if (enabled === undefined || name !== undefined || settings !== undefined) return 'update';
  return enabled ? '$resume' : '$pause';
}
