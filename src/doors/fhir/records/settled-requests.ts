import { Injectable } from '@nestjs/common';
import type { DeliveredEvent } from '../../../core/domain-events/domain-event.js';
import type { Bundle, Patient } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { HeldItems } from '../../../core/held/held-items.js';
import type { HeldResolution } from '../../../core/held/held-item.js';
import { HeldRequests, type HeldRequest } from '../../../core/held/held-requests.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { withPatch, type SentPatch } from '../interactions/sent-patch.js';
import { readPatch } from '../bundle/entry-interaction.js';
import {
  identityItem,
  isPatientPatch,
  putBundle,
  type HeldAnswer,
  type HeldTransaction,
} from '../bundle/held-bundles.js';

/** A request that waited, and what was decided about it. */
export interface SettledRequest {
  readonly key: Uint8Array | null;
  readonly request: HeldRequest;
  readonly resolution: HeldResolution;
}

/** Requests of this door that waited, from the decision on. */
@Injectable()
export class SettledRequests {
  constructor(
    private readonly items: HeldItems,
    private readonly requests: HeldRequests,
    private readonly ids: IdSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ResourceStore,
  ) {}

  /** null: it is another door's, is done, or nobody has decided. */
  find({ tenant, subjectId }: DeliveredEvent): Promise<SettledRequest | null> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const decision = await this.items.decision(transaction, subjectId);
      const request = decision === null ? null : await this.requests.take(transaction, subjectId);
      return decision === null || request === null
        ? null
        : { key: decision.key, request, resolution: decision.resolution };
    });
  }

  /** What a PATCH makes of the record as it is now. `fhir.not_found`, `fhir.patch`, `fhir.patch_test`. */
  async patched(tenant: Tenant, record: string, patch: SentPatch): Promise<Bundle> {
    const current = await this.present(tenant, record);
    const conditions = { ifMatch: `W/"${current.version}"` };
    return putBundle({
      type: 'Patient',
      target: { kind: 'id', id: current.resource.id! },
      body: withPatch(current.resource, patch),
      conditions,
    });
  }

  /** What the PATCH of a Patient at this place of a transaction makes of the record as it is now, by its place; undefined: there is none. As `patched`. */
  async made(
    tenant: Tenant,
    { bundle, record, at }: Pick<HeldTransaction, 'bundle' | 'record' | 'at'>,
  ): Promise<HeldTransaction['made']> {
    const entry = at === undefined ? undefined : bundle.entry?.[at];
    if (at === undefined || entry === undefined || !isPatientPatch(entry)) return undefined;
    const { resource } = await this.present(tenant, record);
    return { [at]: withPatch(resource, readPatch(entry.resource)) };
  }

  /** True: this transaction is the one that does it. */
  async claim(transaction: TenantTransaction, itemId: string): Promise<boolean> {
    return (await this.requests.take(transaction, itemId)) !== null;
  }

  finish(transaction: TenantTransaction, itemId: string, answer: HeldAnswer): Promise<void> {
    return this.requests.finish(transaction, itemId, answer);
  }

  /** What was decided leads to a third person: somebody has to look once more. */
  holdAgain(
    { tenant, subjectId }: DeliveredEvent,
    { key, request }: SettledRequest,
    content: HeldTransaction,
  ): Promise<void> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const item = identityItem(this.ids.next(), key, content);
      const again = await this.items.hold(transaction, item, subjectId);
      const itemId = typeof again === 'string' ? again : again.itemId;
      await this.requests.keep(transaction, itemId, { ...request, content });
      await this.finish(transaction, subjectId, { kind: 'held again' });
    });
  }

  /** `fhir.not_found` where it is gone since. */
  private async present(tenant: Tenant, record: string): Promise<StoredResource<Patient>> {
    const id = record.slice(record.indexOf('/') + 1);
    const current = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.store.find<Patient>(transaction, 'Patient', id),
    );
    if (current === null) throw new SuturaError('fhir.not_found');
    return current;
  }

  /** A repeat is refused in the same way. */
  refuse({ tenant, subjectId }: DeliveredEvent, { code, detail }: Pick<SuturaError, 'code' | 'detail'>): Promise<void> {
    return this.unitOfWork.inTenant(tenant, (transaction) =>
      this.finish(transaction, subjectId, { kind: 'refused', code, detail }),
    );
  }
}
