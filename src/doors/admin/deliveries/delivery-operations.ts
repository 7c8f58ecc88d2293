import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import type { EndpointTrial, ExitEndpoint } from '../../../core/deliveries/delivery-exit.js';
import { Exits } from '../../../core/deliveries/exits.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { DeliveryQuery, DeliveryRange, EndpointQuery } from './deliveries.schema.js';
import { toDeliveryView, type DeliveryDetailView, type DeliveryView } from './deliveries.views.js';

/** Exits for the admin API and the command line. Each act goes into the audit trail before it is done: `service.unavailable` otherwise. */
@Injectable()
export class DeliveryOperations {
  constructor(
    private readonly exits: Exits,
    private readonly trail: OperatorTrail,
  ) {}

  /** Newest first, without bodies. As Exits.list. */
  async list({ limit, ...filter }: DeliveryQuery): Promise<DeliveryView[]> {
    return (await this.exits.list(filter, limit)).map(toDeliveryView);
  }

  /** As Exits.endpoints. */
  endpoints({ exit, ...filter }: EndpointQuery): Promise<ExitEndpoint[]> {
    return this.exits.endpoints(filter, exit);
  }

  /** As Exits.show: an access to a patient's data. */
  async show(operator: Operator, id: string): Promise<DeliveryDetailView> {
    await this.record(operator, 'read', 'R', await this.exits.named(id));
    const { delivery, body, log } = await this.exits.show(id);
    return {
      ...toDeliveryView(delivery),
      body,
      log: log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    };
  }

  /** As Exits.act. */
  async act(operator: Operator, what: 'replay' | 'park' | 'discard', id: string): Promise<void> {
    await this.record(operator, `$${what}`, 'E', await this.exits.named(id));
    await this.exits.act(what, id);
  }

  /** As Exits.replayRange. */
  async replayRange(operator: Operator, { endpointId, since, until }: DeliveryRange): Promise<number> {
    await this.recordEndpoint(operator, '$replay', endpointId);
    return this.exits.replayRange(endpointId, new Date(since), until === undefined ? null : new Date(until));
  }

  /** As Exits.switch. */
  async switch(operator: Operator, what: 'pause' | 'resume', endpointId: string): Promise<ExitEndpoint> {
    await this.recordEndpoint(operator, `$${what}`, endpointId);
    return this.exits.switch(what, endpointId);
  }

  /** As Exits.test. */
  async test(operator: Operator, endpointId: string): Promise<EndpointTrial> {
    await this.recordEndpoint(operator, '$test', endpointId);
    return this.exits.test(endpointId);
  }

  private async recordEndpoint(operator: Operator, interaction: string, id: string): Promise<void> {
    const { organizationId, environment } = await this.exits.endpoint(id);
    const of = { organizationId, environment };
    await this.trail.record(operator, { interaction, action: 'E', of, resources: [`Endpoint/${id}`] });
  }

  private record(
    operator: Operator,
    interaction: string,
    action: 'R' | 'E',
    { id, organizationId, environment }: Tenant & { readonly id: string },
  ): Promise<void> {
    const of = { organizationId, environment };
    return this.trail.record(operator, { interaction, action, of, resources: [`MessageHeader/${id}`] });
  }
}
