import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { failpoint } from '../../../platform/failpoints.js';
import { meetsFilters, patientIdOf } from '../../../exits/subscriptions/subscription-filters.js';
import {
  SubscriptionQueue,
  type ResourceVersion,
  type SubscriptionBatch,
} from '../../../exits/subscriptions/subscription-queue.js';
import { SubscriptionRegister } from '../../../exits/subscriptions/subscription-register.js';
import type { KeptSubscription } from '../../../exits/subscriptions/subscription.js';
import { SubscriptionVersions } from './subscription-versions.js';
import { FhirProjectionHandler } from './fhir-projection.handler.js';

/** The most events made into notifications at once in one process: each holds a connection that callers share. */
const AT_ONCE = 2;

/**
 * Puts the versions of reports and tasks into the queue of every Subscription that asks for them. Idempotent and order-independent: an event only names the resource to look at, which is projected first.
 */
@Injectable()
export class SubscriptionEvents extends DomainEventHandler {
  readonly name = 'fhir-subscriptions';
  override readonly audience = 'fhir-subscriptions';
  readonly kinds: readonly DomainEventKind[];
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly projection: FhirProjectionHandler,
    private readonly register: SubscriptionRegister,
    private readonly queue: SubscriptionQueue,
    private readonly versions: SubscriptionVersions,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {
    super();
    this.kinds = projection.kinds;
  }

  async handle(event: DeliveredEvent): Promise<void> {
    const subscriptions = await this.register.active(event.tenant);
    if (subscriptions.length === 0) return;
    await this.projection.handle(event);
    await this.limit.run(() =>
      this.unitOfWork.inTenant(event.tenant, async (transaction) => {
        const versions = await this.versions.of(transaction, event, subscriptions.some(wantsResources));
        const joined = await this.joinedInto(transaction, subscriptions, versions);
        const batches = subscriptions.map((subscription) => ({
          subscription,
          versions: versions.filter((version) => isWantedBy(subscription, version, joined)),
        }));
        for (const written of await this.queue.enqueueEvents(transaction, batches))
          await this.audit(transaction, written);
        await failpoint('subscription_in_handle');
      }),
    );
    await failpoint('subscription_after_handle');
  }

  /** Ids of the patient's former records, where a filter may name one. Versions of one resource may name several patients. */
  private async joinedInto(
    transaction: TenantTransaction,
    subscriptions: readonly KeptSubscription[],
    versions: readonly ResourceVersion[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const joined = new Map<string, readonly string[]>();
    if (!subscriptions.some(({ request }) => request.filters.some(({ by }) => by === 'patient'))) return joined;
    for (const { resource } of versions) {
      const id = patientIdOf(resource);
      if (id !== null && !joined.has(id)) joined.set(id, await this.register.joinedInto(transaction, id));
    }
    return joined;
  }

  /** Disclosed data is audited, with the Subscription in place of the key. */
  private async audit(transaction: TenantTransaction, { subscription, versions }: SubscriptionBatch): Promise<void> {
    const { id: keyId, organizationId, environment, request } = subscription;
    if (!wantsResources(subscription)) return;
    for (const { resource, included } of versions)
      await this.trail.record(
        transaction,
        { organizationId, environment, keyId, scopes: [] },
        {
          door: 'fhir',
          interaction: '$notify',
          action: 'R',
          patients: [patientIdOf(resource)].flatMap((id) => id ?? []),
          resources: [
            ...[resource, ...included].map(({ resourceType, id }) => `${resourceType}/${id!}`),
            ...(request.channel.withDocuments ? documentsOf(resource) : []),
          ],
        },
      );
  }
}

/** Addresses of a report's PDFs. */
function documentsOf(resource: ResourceVersion['resource']): string[] {
  return resource.resourceType === 'DiagnosticReport'
    ? (resource.presentedForm ?? []).flatMap(({ url }) => url ?? [])
    : [];
}

function wantsResources({ request }: KeptSubscription): boolean {
  return request.channel.content === 'full-resource';
}

function isWantedBy(
  { request, eventsFrom: toldFrom }: KeptSubscription,
  { resource, occurredAt }: ResourceVersion,
  joined: ReadonlyMap<string, readonly string[]>,
): boolean {
  return (
    resource.resourceType === request.topic.resourceType &&
    occurredAt >= toldFrom &&
    meetsFilters(resource, request.filters, joined.get(patientIdOf(resource) ?? ''))
  );
}
