import type { OperatorAct } from '../../../../core/audit/operator-trail.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type { Hl7Listener } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { ServedListeners } from '../../../hl7v2/inbox/listeners/served-listeners.js';
import type { LineReport } from '../../../../standards/hl7v2/mllp/probe-line.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import {
  DestinationRemoval,
  type QueueChoice,
  type RemovedQueue,
} from '../../../../exits/mllp/destinations/destination-removal.js';
import type { Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import { readdress } from '../../../../exits/mllp/oru/readdress.js';
import { DestinationTest } from '../../../../exits/mllp/sender/destination-test.js';
import type { DestinationChangeInput, ListenerChangeInput, NewDestination, NewListener } from './hl7.schema.js';
import { toDestinationView, toListenerView, type DestinationView, type ListenerView } from './hl7.views.js';

export interface PeerPorts {
  readonly listeners: ListenerRepository;
  readonly served: ServedListeners;
  readonly destinations: DestinationRegister;
  readonly removal: DestinationRemoval;
  readonly test: DestinationTest;
  /** Called before the act, which does not happen if this throws: `service.unavailable`. */
  readonly record: (act: OperatorAct) => Promise<void>;
}

/**
 * Listeners and destinations for the admin API and the command line: checked input in, views out, every change written
 * into the audit trail.
 */
export class PeerOperations {
  constructor(private readonly ports: PeerPorts) {}

  /** Running gateways serve it within 5 s. `organization.not_found`, `hl7.name_taken`, `hl7.port_taken`. */
  async createListener({ name, settings, ...tenant }: NewListener): Promise<ListenerView> {
    const made = await this.ports.listeners.create(tenant, name, settings);
    await this.writeDown(made, 'create', 'C');
    return this.shown(made);
  }

  async listListeners(organizationId: string | null): Promise<ListenerView[]> {
    const standings = await this.ports.served.standings();
    return (await this.ports.listeners.list(organizationId)).map((listener) =>
      toListenerView(listener, standings.get(listener.id) ?? null),
    );
  }

  /** `hl7.listener_not_found`. */
  async listener(id: string): Promise<ListenerView> {
    return this.shown(await this.ports.listeners.standing(id));
  }

  /** Gateways follow within 5 s. `hl7.listener_not_found`, `hl7.name_taken`, `hl7.port_taken`, `request.invalid`. */
  async changeListener(id: string, change: ListenerChangeInput): Promise<ListenerView> {
    const changed = await this.ports.listeners.change(id, change);
    await this.writeDown(changed, interactionOf(change), 'U');
    return this.shown(changed);
  }

  /** Gateways close it within 5 s and answer the messages in work. `hl7.listener_not_found`. */
  async deleteListener(id: string): Promise<void> {
    await this.writeDown(await this.ports.listeners.standing(id), 'delete', 'D');
    await this.ports.listeners.delete(id);
  }

  /** Running gateways send to it within 5 s. `organization.not_found`, `hl7.name_taken`. */
  async createDestination({ name, settings, ...tenant }: NewDestination): Promise<DestinationView> {
    await this.ports.listeners.requireOrganization(tenant.organizationId);
    const made = await this.ports.destinations.create(tenant, name, settings);
    await this.writeDown(made, 'create', 'C');
    return toDestinationView(made);
  }

  async listDestinations(organizationId: string | null): Promise<DestinationView[]> {
    const all = await this.ports.destinations.all();
    return all.filter((one) => organizationId === null || one.organizationId === organizationId).map(toDestinationView);
  }

  /** `hl7.destination_not_found`. */
  async destination(id: string): Promise<DestinationView> {
    return toDestinationView(await this.ports.destinations.find(id));
  }

  /**
   * Waiting messages keep their bytes and go to the new address. `hl7.destination_not_found`, `hl7.name_taken`,
   * `request.invalid`.
   */
  async changeDestination(id: string, change: DestinationChangeInput): Promise<DestinationView> {
    await this.writeDown(await this.ports.destinations.find(id), interactionOf(change), 'U');
    return toDestinationView(await this.ports.destinations.change(id, change));
  }

  /** Connects from this machine, hangs up, and reports; nothing is sent. `hl7.destination_not_found`. */
  async testDestination(id: string): Promise<LineReport> {
    const destination = await this.ports.destinations.find(id);
    await this.writeDown(destination, '$test', 'E');
    return this.ports.test.run(destination);
  }

  /** From now on nothing is made for the destination or sent to it. As DestinationRemoval.remove. */
  async deleteDestination(id: string, choice: QueueChoice | null): Promise<RemovedQueue> {
    await this.writeDown(await this.ports.destinations.find(id), 'delete', 'D');
    return this.ports.removal.remove(id, choice, readdress);
  }

  private async shown(listener: Hl7Listener): Promise<ListenerView> {
    return toListenerView(listener, (await this.ports.served.standings()).get(listener.id) ?? null);
  }

  private writeDown(
    { id, organizationId, environment }: Tenant & Pick<Hl7Destination, 'id'>,
    interaction: string,
    action: OperatorAct['action'],
  ): Promise<void> {
    return this.ports.record({
      interaction,
      action,
      of: { organizationId, environment },
      resources: [`Endpoint/${id}`],
    });
  }
}

/** A change of `enabled` alone is a pause or a resume. */
function interactionOf({ name, settings, enabled }: DestinationChangeInput): string {
  if (enabled === undefined || name !== undefined || settings !== undefined) return 'update';
  return enabled ? '$resume' : '$pause';
}
