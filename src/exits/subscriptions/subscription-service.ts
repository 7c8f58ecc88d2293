import type { Subscription } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { EndpointCaller, newWebhookKeys } from '../http/index.js';
import { OutcomeError } from '../../standards/fhir/outcome/outcome-error.js';
import { ResourceStore } from '../../standards/fhir/store/resource-store.js';
import { error, type ResourceIssue } from '../../standards/fhir/validation/resource-issue.js';
import type { SubscriptionFilter } from './subscription-filters.js';
import { SubscriptionRegister } from './subscription-register.js';
import { readSubscription, type SubscriptionRequest } from './subscription-request.js';
import type { KeptSubscription } from './subscription.js';

/** What clients do with their Subscriptions, but for who may do it. */
@Injectable()
export class SubscriptionService {
  constructor(
    readonly register: SubscriptionRegister,
    private readonly store: ResourceStore,
    private readonly caller: EndpointCaller,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** What a valid resource asks for. `fhir.business_rule`, with every element that is not supported, the endpoint's address included. */
  async read(sent: Subscription, base: string, organizationId: string): Promise<SubscriptionRequest> {
    const request = readSubscription(sent, { base, now: this.clock.now() });
    const issues: ResourceIssue[] = [];
    if (!(await this.isAdmitted(request.channel.endpoint, organizationId)))
      issues.push(
        error(
          'value',
          'Subscription.channel.endpoint',
          'This address is never called: it is not public, and the operator opened its network neither for all (SUTURA_DELIVERY_NETWORKS) nor for this organization (org set --delivery-networks).',
        ),
      );
    if (issues.length > 0) throw new OutcomeError('fhir.business_rule', issues);
    return request;
  }

  /** The request comes from `read`. `fhir.business_rule`. */
  async create(
    transaction: TenantTransaction,
    sent: Subscription,
    request: SubscriptionRequest,
    base: string,
  ): Promise<KeptSubscription> {
    const resolved = await this.withPatients(transaction, request);
    const { secret } = newWebhookKeys();
    return this.register.create(transaction, { id: this.ids.next(), sent, request: resolved, base, secret });
  }

  /** `fhir.business_rule`: topic and content stay as they are, since notifications that wait were written for them. */
  async change(
    transaction: TenantTransaction,
    current: KeptSubscription,
    sent: Subscription,
    request: SubscriptionRequest,
    base: string,
  ): Promise<KeptSubscription> {
    const issues: ResourceIssue[] = [];
    const { topic, channel } = current.request;
    if (request.topic.url !== topic.url) issues.push(error('not-supported', 'Subscription.criteria', STAYS('topic')));
    if (request.channel.content !== channel.content)
      issues.push(error('not-supported', 'Subscription.channel.payload', STAYS('content')));
    if (issues.length > 0) throw new OutcomeError('fhir.business_rule', issues);
    const resolved = await this.withPatients(transaction, request);
    return this.register.change(transaction, current, { sent, request: resolved, base });
  }

  /** Clients may name patients by ids of their own; a patient of somebody else is as unknown as one that never was. */
  private async withPatients(
    transaction: TenantTransaction,
    request: SubscriptionRequest,
  ): Promise<SubscriptionRequest> {
    const filters: SubscriptionFilter[] = [];
    for (const filter of request.filters) {
      if (filter.by !== 'patient') {
        filters.push(filter);
        continue;
      }
      const any: string[] = [];
      for (const id of filter.any) {
        const stored = await this.store.find(transaction, 'Patient', id);
        if (stored === null)
          throw new OutcomeError('fhir.business_rule', [
            error('value', 'Subscription.criteria', 'A filter names a Patient that is not on this server.'),
          ]);
        any.push(stored.resource.id!);
      }
      filters.push({ by: 'patient', any });
    }
    return { ...request, filters };
  }

  private async isAdmitted(url: string, organizationId: string): Promise<boolean> {
    try {
      await this.caller.check(url, organizationId);
      return true;
    } catch (fault) {
      if (isSuturaError(fault, 'webhook.url_refused')) return false;
      throw fault;
    }
  }
}

const STAYS = (what: string): string => `The ${what} of a Subscription stays. Create another one, and delete this one.`;
