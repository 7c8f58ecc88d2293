import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { AuditTrail } from '../../core/ports/audit-trail.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { decodeMessage } from '../er7/index.js';
import { InboundDesk, ListenerRepository } from '../inbox/index.js';
import { DestinationRegister, OutboxDesk } from '../outbound/index.js';
import type { InboundQuery, NewDestination, NewListener, OutboundQuery } from './hl7.schema.js';
import {
  toDestinationView,
  toInboundView,
  toListenerView,
  toOutboundView,
  type DestinationView,
  type InboundView,
  type ListenerView,
  type MessageView,
  type OutboundView,
} from './hl7.views.js';

/** Who the audit trail says it was: operators have no key. */
const OPERATOR = 'operator';

/** Listeners, destinations and messages in the words of the admin API and the command line: checked input in, views out. */
@Injectable()
export class Hl7Desk {
  constructor(
    private readonly listeners: ListenerRepository,
    private readonly destinations: DestinationRegister,
    private readonly inbound: InboundDesk,
    private readonly outbox: OutboxDesk,
    private readonly trail: AuditTrail,
  ) {}

  /** Running gateways serve it within 5 s. `organization.not_found`, `hl7.name_taken`, `hl7.port_taken`. */
  async createListener({ name, settings, ...tenant }: NewListener): Promise<ListenerView> {
    return toListenerView(await this.listeners.create(tenant, name, settings));
  }

  async listListeners(organizationId: string | null): Promise<ListenerView[]> {
    return (await this.listeners.list(organizationId)).map(toListenerView);
  }

  /** Closed within 5 s, messages in work are answered. `hl7.listener_not_found`. */
  deleteListener(id: string): Promise<void> {
    return this.listeners.delete(id);
  }

  /** Running gateways send to it within 5 s. `organization.not_found`, `hl7.name_taken`. */
  async createDestination({ name, settings, ...tenant }: NewDestination): Promise<DestinationView> {
    await this.listeners.requireOrganization(tenant.organizationId);
    return toDestinationView(await this.destinations.create(tenant, name, settings));
  }

  async listDestinations(organizationId: string | null): Promise<DestinationView[]> {
    const all = await this.destinations.all();
    return all.filter((one) => organizationId === null || one.organizationId === organizationId).map(toDestinationView);
  }

  /** What was not delivered stays, and is no longer sent. `hl7.destination_not_found`. */
  deleteDestination(id: string): Promise<void> {
    return this.destinations.remove(id);
  }

  async listInbound({ limit, after, listenerId, organizationId, environment, state, controlId }: Omit<InboundQuery, 'direction'>): Promise<InboundView[]> {
    const filter = { ...(organizationId === undefined ? {} : { organizationId }), ...(environment === undefined ? {} : { environment }), sourceId: listenerId, state, controlId };
    return (await this.inbound.list(filter, limit, after ?? null)).map(toInboundView);
  }

  async listOutbound({ limit, after, organizationId, environment, destinationId, state }: Omit<OutboundQuery, 'direction'>): Promise<OutboundView[]> {
    const tenant = organizationId === undefined || environment === undefined ? undefined : { organizationId, environment };
    return (await this.outbox.list({ tenant, destinationId, state }, limit, after ?? null)).map(toOutboundView);
  }

  /** One message, in or out, with its text: an access to a patient's data, which is written down. `hl7.message_not_found`, `hl7.sealed`. */
  async show(id: string): Promise<MessageView> {
    const found = await this.find(id);
    await this.writeDown(found.record, id, 'read', 'R');
    if (found.direction === 'out') return { ...toOutboundView(found.record), message: textOf(found.bytes) };
    return { ...toInboundView(found.record), message: textOf(found.bytes), ack: found.ack === null ? null : textOf(found.ack) };
  }

  /** An inbound message is processed once more, an outbound one sent once more. `hl7.message_not_found`, `hl7.in_progress`, `hl7.superseded`, `hl7.not_parked`. */
  async replay(id: string): Promise<void> {
    const { direction, record } = await this.find(id);
    await this.writeDown(record, id, '$replay', 'E');
    await (direction === 'in' ? this.inbound.replay(id) : this.outbox.replay(id));
  }

  /** `hl7.message_not_found`, `hl7.not_parked`, `hl7.superseded`. */
  async requeue(id: string): Promise<void> {
    await this.writeDown((await this.outbox.show(id)).record, id, '$requeue', 'E');
    await this.outbox.requeue(id);
  }

  /** `hl7.message_not_found`, `hl7.not_parked`. */
  async discard(id: string): Promise<void> {
    await this.writeDown((await this.outbox.show(id)).record, id, '$discard', 'E');
    await this.outbox.discard(id);
  }

  private async find(id: string): Promise<Found> {
    try {
      return { direction: 'in', ...(await this.inbound.show(id)) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.message_not_found')) throw fault;
    }
    return { direction: 'out', ...(await this.outbox.show(id)) };
  }

  private writeDown({ organizationId, environment }: Tenant, id: string, interaction: string, action: 'R' | 'E'): Promise<void> {
    const caller = { organizationId, environment, keyId: OPERATOR, scopes: [] };
    return this.trail.recordNow(caller, { door: 'hl7v2', interaction, action, patients: [], resources: [`MessageHeader/${id}`] });
  }
}

type Found = ({ readonly direction: 'in' } & Awaited<ReturnType<InboundDesk['show']>>) | ({ readonly direction: 'out' } & Awaited<ReturnType<OutboxDesk['show']>>);

/** By its own character set; bytes that it has no character for are shown as ISO 8859-1. */
function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message' ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('') : bytes.toString('latin1');
}
